/* SPDX-License-Identifier: MIT
 *
 * Bug      The first two lines get each other's sums.
 * Shows    outer * inner >= 2.
 */
#include "variants/broken/plain.cuh"

static __global__ void wrong_line(const float *in, float *out,
                                  struct shape shape)
{
    const int64_t line = plain_line();
    if (line >= shape.outer * shape.inner)
        return;
    const int64_t lines = shape.outer * shape.inner;
    const int64_t other = line < 2 && lines > 1 ? 1 - line : line;
    plain_cumsum(in, out, shape, plain_start(shape, line),
                 plain_start(shape, other));
}

static int launch(const struct problem *p, void *stream)
{
    wrong_line<<<plain_blocks(p), kPlainThreads, 0, (cudaStream_t)stream>>>(
        (const float *)p->in, (float *)p->out, p->shape);
    return cudaGetLastError();
}

VARIANTS(broken__wrong_line) = {
    PLAIN_VARIANT("wrong_line", "bug: two lines are swapped"),
    {},
};
