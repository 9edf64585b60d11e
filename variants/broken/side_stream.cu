/* SPDX-License-Identifier: MIT
 *
 * Bug      The work goes to a stream of its own, which nothing waits for: the
 *          result is right in the end, and the events time next to nothing.
 * Shows    always: it dawdles for some milliseconds.
 */
#include "variants/broken/plain.cuh"

static __device__ void side_stream(const float *in, float *out,
                                   struct shape shape, int64_t line)
{
    const long long start = clock64();
    while (clock64() - start < 10 * 1000 * 1000)
        ;
    plain_line(in, out, shape, line);
}

static int launch(const struct problem *p, void *stream)
{
    static cudaStream_t side;
    static cudaEvent_t ready;
    int error = 0;
    if (!side)
        error = cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking);
    if (!ready && !error)
        error = cudaEventCreateWithFlags(&ready, cudaEventDisableTiming);
    if (!error)
        error = cudaEventRecord(ready, (cudaStream_t)stream);
    if (!error)
        error = cudaStreamWaitEvent(side, ready, 0);
    if (error)
        return error;
    return plain_launch<side_stream>(p, side);
}

PLAIN_VARIANT(side_stream, "bug: the events do not see the work", launch);
