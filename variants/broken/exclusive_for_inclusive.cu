/* SPDX-License-Identifier: MIT
 *
 * Bug      The sum is stored before its own element is added.
 * Shows    axis >= 1.
 */
#include "variants/broken/plain.cuh"

static __global__ void exclusive_for_inclusive(const float *in, float *out,
                                               struct shape shape)
{
    const int64_t line = plain_line();
    if (line >= shape.outer * shape.inner)
        return;
    const int64_t start = plain_start(shape, line);
    float sum = 0;
    for (int64_t a = 0; a < shape.axis; ++a) {
        out[start + a * shape.inner] = sum;
        sum += in[start + a * shape.inner];
    }
}

static int launch(const struct problem *p, void *stream)
{
    exclusive_for_inclusive<<<plain_blocks(p), kPlainThreads, 0,
                              (cudaStream_t)stream>>>(
        (const float *)p->in, (float *)p->out, p->shape);
    return cudaGetLastError();
}

VARIANTS(broken__exclusive_for_inclusive) = {
    PLAIN_VARIANT("exclusive_for_inclusive", "bug: an exclusive scan"),
    {},
};
