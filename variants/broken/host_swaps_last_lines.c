/* SPDX-License-Identifier: MIT
 *
 * Bug      The last two lines come out in each other's place.
 * Shows    two lines or more.
 */
#include "variants/broken/host_plain.h"

PLAIN_THEN({
    const int64_t last = shape_lines(s) - 1;
    if (last > 0) {
        plain_cumsum(p->in, p->out, s, plain_start(s, last),
                     plain_start(s, last - 1));
        plain_cumsum(p->in, p->out, s, plain_start(s, last - 1),
                     plain_start(s, last));
    }
})

PLAIN_VARIANT(swaps_last_lines, "bug: the last two lines are swapped");
