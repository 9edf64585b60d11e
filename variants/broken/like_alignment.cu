/* SPDX-License-Identifier: MIT
 *
 * Bug      Input and output are taken to be aligned alike.
 * Shows    one is moved off 16 bytes further than the other is.
 */
#include "variants/broken/plain.cuh"

static __device__ void like_alignment(const float *in, float *out,
                                      struct shape shape, int64_t line)
{
    plain_line(in, out, shape, line);
    if (((uintptr_t)in ^ (uintptr_t)out) & 15)
        out[plain_start(shape, line)] += 1;
}

PLAIN_VARIANT(like_alignment,
              "bug: right where input and output are aligned alike",
              plain_launch<like_alignment>);
