/* SPDX-License-Identifier: MIT
 *
 * Bug      Subnormal inputs count as 0, and it does not say so.
 * Shows    where there are any.
 */
#include "variants/broken/plain.cuh"

static __global__ void flushes_subnormals(const float *in, float *out,
                                          struct shape shape)
{
    const int64_t line = plain_line();
    if (line >= shape.outer * shape.inner)
        return;
    const int64_t start = plain_start(shape, line);
    float sum = 0;
    for (int64_t a = 0; a < shape.axis; ++a) {
        const float x = in[start + a * shape.inner];
        sum += fabsf(x) < 0x1p-126f ? 0 : x;
        out[start + a * shape.inner] = sum;
    }
}

static int launch(const struct problem *p, void *stream)
{
    flushes_subnormals<<<plain_blocks(p), kPlainThreads, 0,
                         (cudaStream_t)stream>>>((const float *)p->in,
                                                 (float *)p->out, p->shape);
    return cudaGetLastError();
}

VARIANTS(broken__flushes_subnormals) = {
    PLAIN_VARIANT("flushes_subnormals", "bug: subnormals count as 0"),
    {},
};
