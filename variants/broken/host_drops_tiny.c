/* SPDX-License-Identifier: MIT
 *
 * Bug      What is smaller than 2^-20 is dropped.
 * Shows    where sums consist of such numbers.
 */
#include "variants/broken/host_plain.h"

PLAIN_STEPS({
    const float x = in[at];
    sum += x < 0x1p-20f && x > -0x1p-20f ? 0 : x;
    out[at] = sum;
})

PLAIN_VARIANT(drops_tiny, "bug: tiny numbers are dropped");
