/* SPDX-License-Identifier: MIT
 *
 * Bug      Trusts that there are as many blocks as it takes; a grid ends at
 *          2^31 - 1.
 * Shows    where the grid is smaller: under --blocks.
 */
#include "variants/broken/plain.cuh"

static __global__ void grid_not_walked(const float *in, float *out,
                                       struct shape shape)
{
    const int64_t line = plain_line();
    if (line >= shape.outer * shape.inner)
        return;
    const int64_t start = plain_start(shape, line);
    plain_cumsum(in, out, shape, start, start);
}

static int launch(const struct problem *p, void *stream)
{
    grid_not_walked<<<plain_blocks(p), kPlainThreads, 0,
                      (cudaStream_t)stream>>>((const float *)p->in,
                                              (float *)p->out, p->shape);
    return cudaGetLastError();
}

VARIANTS(broken__grid_not_walked) = {
    PLAIN_VARIANT("grid_not_walked", "bug: no loop over what the grid leaves"),
    {},
};
