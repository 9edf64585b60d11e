/* SPDX-License-Identifier: MIT
 *
 * Bug      Says that a NaN spreads, which it does not: so nobody would ask.
 * Shows    where a NaN and an infinity are planted all the same.
 */
#include "variants/broken/host_plain.h"

static int launch(const struct problem *p, void *stream)
{
    (void)stream;
    plain_run(p);
    return 0;
}

VARIANTS(broken__host_spreads_nothing) = {
    PLAIN_VARIANT("spreads_nothing", "bug: a stale trait",
                  .spreads_nonfinite = true),
    { 0 },
};
