/* SPDX-License-Identifier: MIT
 *
 * Bug      The first two lines get each other's sums.
 * Shows    outer * inner >= 2.
 */
#include "variants/broken/plain.cuh"

static __device__ void wrong_line(const float *in, float *out,
                                  struct shape shape, int64_t line)
{
    const int64_t lines = shape.outer * shape.inner;
    const int64_t other = line < 2 && lines > 1 ? 1 - line : line;
    plain_cumsum(in, out, shape, plain_start(shape, line),
                 plain_start(shape, other));
}

PLAIN_VARIANT(wrong_line, "bug: two lines are swapped",
              plain_launch<wrong_line>);
