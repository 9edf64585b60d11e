/* SPDX-License-Identifier: MIT
 *
 * Bug      The last sum of the last line is NaN.
 * Shows    always, unless NaN compares as no worse than the bound.
 */
#include "variants/broken/plain.cuh"

static __global__ void nan(const float *in, float *out, struct shape shape)
{
    const int64_t line = plain_line();
    if (line >= shape.outer * shape.inner)
        return;
    const int64_t start = plain_start(shape, line);
    plain_cumsum(in, out, shape, start, start);
    if (line == shape.outer * shape.inner - 1)
        out[start + (shape.axis - 1) * shape.inner] = nanf("");
}

static int launch(const struct problem *p, void *stream)
{
    nan<<<plain_blocks(p), kPlainThreads, 0, (cudaStream_t)stream>>>(
        (const float *)p->in, (float *)p->out, p->shape);
    return cudaGetLastError();
}

VARIANTS(broken__nan) = {
    PLAIN_VARIANT("nan", "bug: one output is NaN"),
    {},
};
