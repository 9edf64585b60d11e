/* SPDX-License-Identifier: MIT
 *
 * Bug      The middle of the last line is never written.
 * Shows    always.
 */
#include "variants/broken/plain.cuh"

static __global__ void unwritten_output(const float *in, float *out,
                                        struct shape shape)
{
    const int64_t line = plain_line();
    if (line >= shape.outer * shape.inner)
        return;
    const int64_t start = plain_start(shape, line);
    const bool last = line == shape.outer * shape.inner - 1;
    float sum = 0;
    for (int64_t a = 0; a < shape.axis; ++a) {
        sum += in[start + a * shape.inner];
        if (!(last && a == shape.axis / 2))
            out[start + a * shape.inner] = sum;
    }
}

static int launch(const struct problem *p, void *stream)
{
    unwritten_output<<<plain_blocks(p), kPlainThreads, 0,
                       (cudaStream_t)stream>>>((const float *)p->in,
                                               (float *)p->out, p->shape);
    return cudaGetLastError();
}

VARIANTS(broken__unwritten_output) = {
    PLAIN_VARIANT("unwritten_output", "bug: one output is never written"),
    {},
};
