/* SPDX-License-Identifier: MIT
 *
 * Bug      The kernel asks for more shared memory than there is, so it is not
 *          launched; success is returned.
 * Shows    always: nothing is written.
 */
#include "variants/broken/plain.cuh"

static __global__ void error_swallowed(const float *in, float *out,
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
    const size_t too_much = (size_t)p->device->shared_optin_bytes + 1;
    error_swallowed<<<plain_blocks(p), kPlainThreads, too_much,
                      (cudaStream_t)stream>>>((const float *)p->in,
                                              (float *)p->out, p->shape);
    (void)cudaGetLastError();
    return 0;
}

VARIANTS(broken__error_swallowed) = {
    PLAIN_VARIANT("error_swallowed",
                  "bug: a failed launch is returned as success"),
    {},
};
