/* SPDX-License-Identifier: MIT
 *
 * Bug      Lines are summed only where the output has the poison at their
 *          start; else they are done already, it thinks.
 * Shows    where a launch is judged whose output held another input's result.
 */
#include "variants/broken/plain.cuh"

static __global__ void skips_unless_poisoned(const float *in, float *out,
                                             struct shape shape)
{
    const int64_t line = plain_line();
    if (line >= shape.outer * shape.inner)
        return;
    const int64_t start = plain_start(shape, line);
    if (__float_as_uint(out[start]) == 0xffffffff)
        plain_cumsum(in, out, shape, start, start);
}

static int launch(const struct problem *p, void *stream)
{
    skips_unless_poisoned<<<plain_blocks(p), kPlainThreads, 0,
                            (cudaStream_t)stream>>>((const float *)p->in,
                                                    (float *)p->out, p->shape);
    return cudaGetLastError();
}

VARIANTS(broken__skips_unless_poisoned) = {
    PLAIN_VARIANT("skips_unless_poisoned",
                  "bug: does nothing where the output looks done"),
    {},
};
