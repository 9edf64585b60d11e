/* SPDX-License-Identifier: MIT
 *
 * Bug      The last two lines come out in each other's place.
 * Shows    two lines or more.
 */
#include "variants/broken/host_plain.h"

static int launch(const struct problem *p, void *stream)
{
    const struct shape s = p->shape;
    const int64_t last = shape_lines(s) - 1;
    (void)stream;
    plain_run(p);
    if (last > 0) {
        plain_cumsum(p->in, p->out, s, plain_start(s, last),
                     plain_start(s, last - 1));
        plain_cumsum(p->in, p->out, s, plain_start(s, last - 1),
                     plain_start(s, last));
    }
    return 0;
}

VARIANTS(broken__host_swaps_last_lines) = {
    PLAIN_VARIANT("swaps_last_lines", "bug: the last two lines are swapped"),
    { 0 },
};
