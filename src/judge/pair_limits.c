/* SPDX-License-Identifier: MIT */
#include "src/judge/pair_limits.h"

#include <math.h>

#include "src/judge/launch_cost.h"

struct limits pair_limits(const struct comparison *comparison,
                          const struct pair *pair)
{
    struct limits own = comparison->limits;
    own.kin = pair->kin;
    own.near = pair->near;
    own.near_us = pair->base.row->cache == CACHE_COLD
                      ? comparison->launch_us[CACHE_COLD]
                      : NAN;
    own.absolute_us = /* fmax: not NaN */
        fmax(own.absolute_us, launch_cost_floor(comparison, pair));
    return own;
}

bool pair_short(const struct comparison *comparison, const struct pair *pair)
{
    const struct limits own = pair_limits(comparison, pair);
    return own.relative * pair_us(pair) < own.absolute_us;
}
