/* SPDX-License-Identifier: MIT
 *
 * Bug      Launches 6 to 13 in a process do nothing, where the output does not
 *          begin with the poison.
 * Shows    where one element, anywhere, is poisoned before a launch.
 */
#include "variants/broken/plain.cuh"

static __global__ void rests(const float *in, float *out, struct shape shape,
                             bool rest)
{
    const int64_t line = plain_line();
    if (line >= shape.outer * shape.inner)
        return;
    const int64_t start = plain_start(shape, line);
    if (!rest || __float_as_uint(out[0]) == 0xffffffff)
        plain_cumsum(in, out, shape, start, start);
}

static int launch(const struct problem *p, void *stream)
{
    static int launches;
    ++launches;
    rests<<<plain_blocks(p), kPlainThreads, 0, (cudaStream_t)stream>>>(
        (const float *)p->in, (float *)p->out, p->shape,
        launches >= 6 && launches <= 13);
    return cudaGetLastError();
}

VARIANTS(broken__rests) = {
    PLAIN_VARIANT("rests", "bug: some launches in a row do nothing"),
    {},
};
