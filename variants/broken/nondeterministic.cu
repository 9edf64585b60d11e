/* SPDX-License-Identifier: MIT
 *
 * Bug      Is declared deterministic, but its blocks add to the sum in the
 *          order in which they arrive. Right within its bound.
 * Shows    axis of several blocks, on real input, in some launches.
 */
#include "variants/broken/plain.cuh"

/* A block per chunk of a line; even its threads add in any order. */
static __global__ void nondeterministic(const float *in, float *out,
                                        struct shape shape, int64_t chunks)
{
    const int64_t work = shape.outer * shape.inner * chunks;
    for (int64_t block = blockIdx.x; block < work; block += gridDim.x) {
        const int64_t line = block / chunks;
        const int64_t a = block % chunks * kPlainThreads + threadIdx.x;
        if (a < shape.axis)
            atomicAdd(&out[line],
                      in[plain_start(shape, line) + a * shape.inner]);
    }
}

static int launch(const struct problem *p, void *stream)
{
    const int64_t chunks = ceil_div(p->shape.axis, kPlainThreads);
    cudaError_t error = cudaMemsetAsync(
        p->out, 0, shape_lines(p->shape) * sizeof(float), (cudaStream_t)stream);
    if (error != cudaSuccess || chunks == 0)
        return error;
    return launch_kernel(nondeterministic, shape_lines(p->shape) * chunks,
                         kPlainThreads, 0, stream, p->in, p->out, p->shape,
                         chunks);
}

VARIANTS(broken__nondeterministic) = {
    { BROKEN_FIELDS(
          "nondeterministic",
          "bug: the order of the additions changes, and it is not said",
          ERROR_SERIAL, OPS(FORM_REDUCE, DTYPE_BIT(DTYPE_F32))),
      .loses_subnormals = true, /* atomicAdd() of floats does */
      .launch = launch },
    {},
};
