/* SPDX-License-Identifier: MIT
 *
 * Bug      The middle of the last line is never written.
 * Shows    always, if the output was poisoned before.
 */
#include "variants/broken/host_plain.h"

PLAIN_STEPS({
    const bool last = line == shape_lines(s) - 1;
    sum += in[at];
    if (!(last && a == s.axis / 2))
        out[at] = sum;
})

PLAIN_VARIANT(unwritten_output, "bug: one output is never written");
