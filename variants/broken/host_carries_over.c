/* SPDX-License-Identifier: MIT
 *
 * Bug      Where a line's length is odd, its sum goes on in the next.
 * Shows    odd lengths, in several lines.
 */
#include "variants/broken/host_plain.h"

PLAIN_STEPS({
    if (a == 0 && s.axis % 2 && line > 0)
        sum = out[plain_start(s, line - 1) + (s.axis - 1) * s.inner];
    sum += in[at];
    out[at] = sum;
})

PLAIN_VARIANT(carries_over, "bug: odd lines carry into the next");
