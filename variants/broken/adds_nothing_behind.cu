/* SPDX-License-Identifier: MIT
 *
 * Bug      Adds 0 times what lies behind the input.
 * Shows    where NaN lies there.
 */
#include "variants/broken/plain.cuh"

static __device__ void adds_nothing_behind(const float *in, float *out,
                                           struct shape shape, int64_t line)
{
    const int64_t start = plain_start(shape, line);
    plain_line(in, out, shape, line);
    if (line == 0)
        out[start] += 0 * in[shape.outer * shape.axis * shape.inner];
}

PLAIN_VARIANT(adds_nothing_behind, "bug: adds 0 times in[n]",
              plain_launch<adds_nothing_behind>);
