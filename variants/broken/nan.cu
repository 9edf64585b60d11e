/* SPDX-License-Identifier: MIT
 *
 * Bug      The last sum of the last line is NaN.
 * Shows    always, unless NaN compares as no worse than the bound.
 */
#include "variants/broken/plain.cuh"

static __device__ void nan(const float *in, float *out, struct shape shape,
                           int64_t line)
{
    const int64_t start = plain_start(shape, line);
    plain_line(in, out, shape, line);
    if (line == shape.outer * shape.inner - 1)
        out[start + (shape.axis - 1) * shape.inner] = nanf("");
}

PLAIN_VARIANT(nan, "bug: one output is NaN", plain_launch<nan>);
