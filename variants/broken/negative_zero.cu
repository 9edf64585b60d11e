/* SPDX-License-Identifier: MIT
 *
 * Bug      Sums that are 0 are -0.
 * Shows    where a sum is 0, in its sign.
 */
#include "variants/broken/plain.cuh"

static __device__ void negative_zero(const float *in, float *out,
                                     struct shape shape, int64_t line)
{
    const int64_t start = plain_start(shape, line);
    plain_line(in, out, shape, line);
    for (int64_t a = 0; a < shape.axis; ++a)
        if (out[start + a * shape.inner] == 0)
            out[start + a * shape.inner] = -0.0f;
}

PLAIN_VARIANT(negative_zero, "bug: -0 for 0", plain_launch<negative_zero>);
