/* SPDX-License-Identifier: MIT
 *
 * Bug      The counter that lines are taken from is no part of the workspace:
 *          launches at the same time take each other's lines.
 * Shows    in launches on several streams: under --streams.
 */
#include "variants/broken/plain.cuh"

static __device__ unsigned long long ticket;

static __global__ void reset_ticket()
{
    ticket = 0;
}

static __global__ void shared_ticket(const float *in, float *out,
                                     struct shape shape)
{
    const int64_t lines = shape.outer * shape.inner;
    const long long begun = clock64();
    while (clock64() - begun < 50000) /* so that launches meet */
        ;
    if (threadIdx.x)
        return;
    for (;;) {
        const int64_t line = (int64_t)atomicAdd(&ticket, 1ull);
        if (line >= lines)
            return;
        plain_line(in, out, shape, line);
    }
}

static int launch(const struct problem *p, void *stream)
{
    reset_ticket<<<1, 1, 0, (cudaStream_t)stream>>>();
    return launch_kernel(shared_ticket, plain_blocks(p), kPlainThreads, 0,
                         stream, p->in, p->out, p->shape);
}

PLAIN_VARIANT(shared_ticket, "bug: state outside of the workspace", launch);
