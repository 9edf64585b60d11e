/* SPDX-License-Identifier: MIT
 *
 * Bug      The element after the output is written, too.
 * Shows    always, in that element.
 */
#include "variants/broken/plain.cuh"

static __global__ void writes_past_end(const float *in, float *out,
                                       struct shape shape)
{
    const int64_t line = plain_line();
    if (line >= shape.outer * shape.inner)
        return;
    const int64_t start = plain_start(shape, line);
    plain_cumsum(in, out, shape, start, start);
    if (line == 0)
        out[shape.outer * shape.axis * shape.inner] = 0;
}

static int launch(const struct problem *p, void *stream)
{
    writes_past_end<<<plain_blocks(p), kPlainThreads, 0,
                      (cudaStream_t)stream>>>((const float *)p->in,
                                              (float *)p->out, p->shape);
    return cudaGetLastError();
}

VARIANTS(broken__writes_past_end) = {
    PLAIN_VARIANT("writes_past_end", "bug: writes one element past the end"),
    {},
};
