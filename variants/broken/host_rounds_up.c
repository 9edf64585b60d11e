/* SPDX-License-Identifier: MIT
 *
 * Bug      The processor is left rounding upward.
 * Shows    in the sums of whatever runs next.
 */
#include "variants/broken/host_plain.h"

#include <fenv.h>

static int launch(const struct problem *p, void *stream)
{
    (void)stream;
    plain_run(p);
    return fesetround(FE_UPWARD);
}

PLAIN_VARIANT(rounds_up, "bug: the processor is left rounding upward");
