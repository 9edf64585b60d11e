/* SPDX-License-Identifier: MIT
 *
 * Bug      A thread's carry from line to line is multiplied by 0 instead of
 *          reset: a NaN or an infinity stays in it.
 * Shows    where a line with one is followed by another; on finite input never.
 */
#include "variants/broken/plain.cuh"

/* One thread walks all lines. */
static __global__ void nan_spreads(const float *in, float *out,
                                   struct shape shape)
{
    float sum = 0;
    for (int64_t line = 0; line < shape.outer * shape.inner; ++line) {
        const int64_t start = plain_start(shape, line);
        for (int64_t a = 0; a < shape.axis; ++a) {
            sum += in[start + a * shape.inner];
            out[start + a * shape.inner] = sum;
        }
        sum *= 0;
    }
}

static int launch(const struct problem *p, void *stream)
{
    return launch_kernel(nan_spreads, 1, 1, 0, stream, p->in, p->out, p->shape);
}

PLAIN_VARIANT(nan_spreads, "bug: a NaN reaches the lines behind", launch);
