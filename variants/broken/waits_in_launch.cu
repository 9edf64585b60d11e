/* SPDX-License-Identifier: MIT
 *
 * Bug      The launch waits for the device, so the host's time to come back is
 *          timed, and nothing can be queued behind it.
 * Shows    always.
 */
#include "variants/broken/plain.cuh"

static __global__ void waits_in_launch(const float *in, float *out,
                                       struct shape shape)
{
    const int64_t line = plain_line();
    if (line >= shape.outer * shape.inner)
        return;
    const int64_t at = plain_start(shape, line);
    plain_cumsum(in, out, shape, at, at);
}

static int launch(const struct problem *p, void *stream)
{
    waits_in_launch<<<plain_blocks(p), kPlainThreads, 0,
                      (cudaStream_t)stream>>>((const float *)p->in,
                                              (float *)p->out, p->shape);
    int error = cudaGetLastError();
    return error ? error : cudaStreamSynchronize((cudaStream_t)stream);
}

VARIANTS(broken__waits_in_launch) = {
    PLAIN_VARIANT("waits_in_launch", "bug: the launch waits for the device"),
    {},
};
