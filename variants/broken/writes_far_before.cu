/* SPDX-License-Identifier: MIT
 *
 * Bug      60000 bytes before the output an element is written, too.
 * Shows    where guards are that large.
 */
#include "variants/broken/plain.cuh"

static __global__ void writes_far_before(const float *in, float *out,
                                         struct shape shape)
{
    const int64_t line = plain_line();
    if (line >= shape.outer * shape.inner)
        return;
    const int64_t start = plain_start(shape, line);
    plain_cumsum(in, out, shape, start, start);
    if (line == 0)
        out[-15000] = 0;
}

static int launch(const struct problem *p, void *stream)
{
    writes_far_before<<<plain_blocks(p), kPlainThreads, 0,
                        (cudaStream_t)stream>>>((const float *)p->in,
                                                (float *)p->out, p->shape);
    return cudaGetLastError();
}

VARIANTS(broken__writes_far_before) = {
    PLAIN_VARIANT("writes_far_before", "bug: writes far before the output"),
    {},
};
