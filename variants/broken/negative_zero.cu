/* SPDX-License-Identifier: MIT
 *
 * Bug      Sums that are 0 are -0.
 * Shows    where a sum is 0, in its sign.
 */
#include "variants/broken/plain.cuh"

static __global__ void negative_zero(const float *in, float *out,
                                     struct shape shape)
{
    const int64_t line = plain_line();
    if (line >= shape.outer * shape.inner)
        return;
    const int64_t start = plain_start(shape, line);
    plain_cumsum(in, out, shape, start, start);
    for (int64_t a = 0; a < shape.axis; ++a)
        if (out[start + a * shape.inner] == 0)
            out[start + a * shape.inner] = -0.0f;
}

static int launch(const struct problem *p, void *stream)
{
    negative_zero<<<plain_blocks(p), kPlainThreads, 0, (cudaStream_t)stream>>>(
        (const float *)p->in, (float *)p->out, p->shape);
    return cudaGetLastError();
}

VARIANTS(broken__negative_zero) = {
    PLAIN_VARIANT("negative_zero", "bug: -0 for 0"),
    {},
};
