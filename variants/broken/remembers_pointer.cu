/* SPDX-License-Identifier: MIT
 *
 * Bug      Takes it for done where input and output lie where they lay in an
 *          earlier launch, and the output is no poison.
 * Shows    as soon as the input changes where it lies.
 */
#include "variants/broken/plain.cuh"

constexpr int kMost = 64;

static __global__ void remembers_pointer(const float *in, float *out,
                                         struct shape shape, bool known)
{
    const int64_t line = plain_line();
    if (line >= shape.outer * shape.inner)
        return;
    const int64_t start = plain_start(shape, line);
    if (!known || __float_as_uint(out[start]) == 0xffffffff)
        plain_cumsum(in, out, shape, start, start);
}

static int launch(const struct problem *p, void *stream)
{
    static struct problem last[kMost];
    static int count;
    bool known = false;
    for (int k = 0; k < kMost; ++k)
        known |= last[k].in == p->in && last[k].out == p->out &&
                 shape_equal(last[k].shape, p->shape);
    last[count++ % kMost] = *p;
    remembers_pointer<<<plain_blocks(p), kPlainThreads, 0,
                        (cudaStream_t)stream>>>(
        (const float *)p->in, (float *)p->out, p->shape, known);
    return cudaGetLastError();
}

VARIANTS(broken__remembers_pointer) = {
    PLAIN_VARIANT("remembers_pointer", "bug: takes an address for an input"),
    {},
};
