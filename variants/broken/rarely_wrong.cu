/* SPDX-License-Identifier: MIT
 *
 * Bug      In every 61st launch a line's last element is not written.
 * Shows    in many launches: under --repeat.
 */
#include "variants/broken/plain.cuh"

static __device__ unsigned launches;

static __global__ void rarely_wrong(const float *in, float *out,
                                    struct shape shape)
{
    const int64_t line = plain_line();
    if (line >= shape.outer * shape.inner)
        return;
    if (line == 0 && ++launches % 61 == 0)
        --shape.axis;
    const int64_t start = plain_start(shape, line);
    plain_cumsum(in, out, shape, start, start);
}

static int launch(const struct problem *p, void *stream)
{
    rarely_wrong<<<plain_blocks(p), kPlainThreads, 0, (cudaStream_t)stream>>>(
        (const float *)p->in, (float *)p->out, p->shape);
    return cudaGetLastError();
}

VARIANTS(broken__rarely_wrong) = {
    { .name = "rarely_wrong",
      .idea = "bug: one launch in 61 is wrong",
      .runs_on = DEVICE_CUDA,
      .ops = OPS(FORM_OF(OP_CUMSUM), DTYPE_BIT(DTYPE_F32)),
      .passes = 1,
      .error_growth = ERROR_SERIAL,
      .deterministic = false,
      .launch = launch },
    {},
};
