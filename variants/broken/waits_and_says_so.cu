/* SPDX-License-Identifier: MIT
 *
 * Bug      None: the launch waits for the device, as libraries with streams of
 *          their own do, and says so.
 * Shows    in the mark `ungated` of its times.
 */
#include "variants/broken/plain.cuh"

static __global__ void waits_and_says_so(const float *in, float *out,
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
    waits_and_says_so<<<plain_blocks(p), kPlainThreads, 0,
                        (cudaStream_t)stream>>>((const float *)p->in,
                                                (float *)p->out, p->shape);
    const int error = cudaGetLastError();
    return error ? error : cudaStreamSynchronize((cudaStream_t)stream);
}

static constexpr struct variant said(void)
{
    struct variant v =
        PLAIN_VARIANT("waits_and_says_so", "waits for the device, and says so");
    v.host_waits = true;
    return v;
}

VARIANTS(broken__waits_and_says_so) = {
    said(),
    {},
};
