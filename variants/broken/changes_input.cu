/* SPDX-License-Identifier: MIT
 *
 * Bug      The input serves as scratch: it ends as the sums, too.
 * Shows    axis >= 2; the output is right, the first time.
 */
#include "variants/broken/plain.cuh"

static __global__ void changes_input(float *in, float *out, struct shape shape)
{
    const int64_t line = plain_line();
    if (line >= shape.outer * shape.inner)
        return;
    const int64_t start = plain_start(shape, line);
    plain_cumsum(in, in, shape, start, start);
    for (int64_t a = 0; a < shape.axis; ++a)
        out[start + a * shape.inner] = in[start + a * shape.inner];
}

static int launch(const struct problem *p, void *stream)
{
    changes_input<<<plain_blocks(p), kPlainThreads, 0, (cudaStream_t)stream>>>(
        (float *)p->in, (float *)p->out, p->shape);
    return cudaGetLastError();
}

VARIANTS(broken__changes_input) = {
    PLAIN_VARIANT("changes_input", "bug: writes to the input"),
    {},
};
