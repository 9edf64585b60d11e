/* SPDX-License-Identifier: MIT
 *
 * Bug      The kernel writes through a null pointer.
 * Shows    always: an illegal address, after which the context is lost.
 */
#include "variants/broken/plain.cuh"

static __global__ void crash(const float *in, float *out, struct shape shape)
{
    const int64_t line = plain_line();
    if (line >= shape.outer * shape.inner)
        return;
    const int64_t start = plain_start(shape, line);
    plain_cumsum(in, out, shape, start, start);
}

static int launch(const struct problem *p, void *stream)
{
    crash<<<plain_blocks(p), kPlainThreads, 0, (cudaStream_t)stream>>>(
        (const float *)p->in, (float *)NULL, p->shape);
    return cudaGetLastError();
}

VARIANTS(broken__crash) = {
    PLAIN_VARIANT("crash", "bug: an illegal address"),
    {},
};
