/* SPDX-License-Identifier: MIT
 *
 * Bug      Every line waits for a flag that nobody raises.
 * Shows    always: the launch never ends.
 */
#include "variants/broken/plain.cuh"

static __global__ void hang(const float *in, float *out, struct shape shape,
                            const volatile uint32_t *raised)
{
    const int64_t line = plain_line();
    if (line >= shape.outer * shape.inner)
        return;
    while (*raised != 1)
        ;
    const int64_t start = plain_start(shape, line);
    plain_cumsum(in, out, shape, start, start);
}

static int launch(const struct problem *p, void *stream)
{
    int error = cudaMemsetAsync(p->workspace, 0, sizeof(uint32_t),
                                (cudaStream_t)stream);
    if (error)
        return error;
    hang<<<plain_blocks(p), kPlainThreads, 0, (cudaStream_t)stream>>>(
        (const float *)p->in, (float *)p->out, p->shape,
        (const volatile uint32_t *)p->workspace);
    return cudaGetLastError();
}

static size_t workspace_bytes(const struct problem *)
{
    return sizeof(uint32_t);
}

VARIANTS(broken__hang) = {
    PLAIN_VARIANT("hang", "bug: waits for ever",
                  .workspace_bytes = workspace_bytes),
    {},
};
