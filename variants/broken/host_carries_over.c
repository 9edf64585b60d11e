/* SPDX-License-Identifier: MIT
 *
 * Bug      Where a line's length is odd, its sum goes on in the next.
 * Shows    odd lengths, in several lines.
 */
#include "variants/broken/host_plain.h"

PLAIN_LAUNCH(a == 0 && (s.axis % 2 == 0 || line == 0), sum)

VARIANTS(broken__host_carries_over) = {
    PLAIN_VARIANT("carries_over", "bug: odd lines carry into the next"),
    { 0 },
};
