/* SPDX-License-Identifier: MIT
 *
 * Bug      Input and output are taken to be aligned alike.
 * Shows    one is moved off 16 bytes further than the other is.
 */
#include "variants/broken/plain.cuh"

PLAIN_STEPS({
    const bool unlike = ((uintptr_t)in ^ (uintptr_t)out) & 15;
    sum += in[at];
    out[at] = unlike ? sum + 1 : sum;
})

PLAIN_VARIANT(like_alignment,
              "bug: right where input and output are aligned alike", launch);
