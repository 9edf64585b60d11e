/* SPDX-License-Identifier: MIT */
#include "src/judge/pair.h"

#include <math.h>

bool pair_timed(const struct pair *pair)
{
    return run_cell_timed(&pair->base) && run_cell_timed(&pair->now);
}

double pair_us(const struct pair *pair)
{
    return fmin(timing_us(&pair->base.timing), timing_us(&pair->now.timing));
}
