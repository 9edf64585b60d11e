/* SPDX-License-Identifier: MIT
 *
 * Bug      Adds 0 times what lies behind the input.
 * Shows    where NaN lies there.
 */
#include "variants/broken/plain.cuh"

static __global__ void adds_nothing_behind(const float *in, float *out,
                                           struct shape shape)
{
    const int64_t line = plain_line();
    if (line >= shape.outer * shape.inner)
        return;
    const int64_t start = plain_start(shape, line);
    plain_cumsum(in, out, shape, start, start);
    if (line == 0)
        out[start] += 0 * in[shape.outer * shape.axis * shape.inner];
}

static int launch(const struct problem *p, void *stream)
{
    adds_nothing_behind<<<plain_blocks(p), kPlainThreads, 0,
                          (cudaStream_t)stream>>>((const float *)p->in,
                                                  (float *)p->out, p->shape);
    return cudaGetLastError();
}

VARIANTS(broken__adds_nothing_behind) = {
    PLAIN_VARIANT("adds_nothing_behind", "bug: adds 0 times in[n]"),
    {},
};
