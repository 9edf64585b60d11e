/* SPDX-License-Identifier: MIT
 *
 * The cumulative sum that the broken variants break: one thread walks one
 * line, so that each file has its bug and little else.
 */
#ifndef VARIANTS_BROKEN_PLAIN_CUH
#define VARIANTS_BROKEN_PLAIN_CUH

#include "variants/common/kernel.cuh"

constexpr int kPlainThreads = 128;

/* Returns this thread's line, or a number past the last. */
__device__ __forceinline__ int64_t plain_line(void)
{
    return blockIdx.x * (int64_t)kPlainThreads + threadIdx.x;
}

/* Returns the index of a line's first element; the others follow `inner` apart.
 */
__device__ __forceinline__ int64_t plain_start(struct shape shape, int64_t line)
{
    return line / shape.inner * shape.axis * shape.inner + line % shape.inner;
}

/* Writes the sums of the line at `from` to the line at `to`. */
__device__ __forceinline__ void plain_cumsum(const float *in, float *out,
                                             struct shape shape, int64_t from,
                                             int64_t to)
{
    float sum = 0;
    for (int64_t a = 0; a < shape.axis; ++a) {
        sum += in[from + a * shape.inner];
        out[to + a * shape.inner] = sum;
    }
}

inline unsigned plain_blocks(const struct problem *p)
{
    return grid_x(ceil_div(shape_lines(p->shape), kPlainThreads));
}

/* Further fields come before launch. */
#define PLAIN_VARIANT(text, bug, ...)                                          \
    {                                                                          \
        .name = text, .idea = bug, .runs_on = DEVICE_CUDA,                     \
        .ops = OPS(FORM_OF(OP_CUMSUM), DTYPE_BIT(DTYPE_F32)), .passes = 1,     \
        .error_growth = ERROR_SERIAL, .deterministic = true,                   \
        __VA_OPT__(__VA_ARGS__, ).launch = launch                              \
    }

#endif
