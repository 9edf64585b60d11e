/* SPDX-License-Identifier: MIT
 *
 * Bug      The last sum is left out where the output is not the one of the
 *          first launch in the process.
 * Shows    where several sets of buffers are judged.
 */
#include "variants/broken/plain.cuh"

static __global__ void knows_one_buffer(const float *in, float *out,
                                        struct shape shape, bool knows)
{
    const int64_t line = plain_line();
    if (line >= shape.outer * shape.inner)
        return;
    const int64_t start = plain_start(shape, line);
    plain_cumsum(in, out, shape, start, start);
    if (!knows && line == shape.outer * shape.inner - 1)
        out[shape.outer * shape.axis * shape.inner - 1] = 0;
}

static int launch(const struct problem *p, void *stream)
{
    static const void *first;
    if (!first)
        first = p->out;
    knows_one_buffer<<<plain_blocks(p), kPlainThreads, 0,
                       (cudaStream_t)stream>>>(
        (const float *)p->in, (float *)p->out, p->shape, first == p->out);
    return cudaGetLastError();
}

VARIANTS(broken__knows_one_buffer) = {
    PLAIN_VARIANT("knows_one_buffer", "bug: right in one buffer only"),
    {},
};
