/* SPDX-License-Identifier: MIT
 *
 * The cumulative sum that the broken variants break: one thread walks one
 * line, so that each file has its bug and little else.
 */
#ifndef VARIANTS_BROKEN_PLAIN_CUH
#define VARIANTS_BROKEN_PLAIN_CUH

#include "variants/broken/plain_line.h"
#include "variants/common/kernel.cuh"

#define BROKEN_DEVICE DEVICE_CUDA

constexpr int kPlainThreads = 128;

/* Writes the sums of a line. */
static __device__ __forceinline__ void
plain_line(const float *in, float *out, struct shape shape, int64_t line)
{
    const int64_t start = plain_start(shape, line);
    plain_cumsum(in, out, shape, start, start);
}

/* Calls Bug(in, out, shape, line, args...), one thread per line. */
template <auto Bug, class... Args>
static __global__ void plain_lines(const float *in, float *out,
                                   struct shape shape, Args... args)
{
    const int64_t line = blockIdx.x * (int64_t)kPlainThreads + threadIdx.x;
    if (line < shape_lines(shape))
        Bug(in, out, shape, line, args...);
}

inline unsigned plain_blocks(const struct problem *p)
{
    return grid_x(ceil_div(shape_lines(p->shape), kPlainThreads));
}

template <auto Bug, class... Args>
static int plain_launch(const struct problem *p, void *stream, Args... args)
{
    return launch_kernel(plain_lines<Bug, Args...>, plain_blocks(p),
                         kPlainThreads, 0, stream, p->in, p->out, p->shape,
                         args...);
}

/* Clears `bytes` bytes of the workspace and launches a kernel that takes it. */
template <class State>
int launch_on_zeros(const struct problem *p, void *stream, size_t bytes,
                    void (*kernel)(const float *, float *, struct shape,
                                   State *),
                    int64_t blocks)
{
    const int error =
        cudaMemsetAsync(p->workspace, 0, bytes, (cudaStream_t)stream);
    return error ? error
                 : launch_kernel(kernel, blocks, kPlainThreads, 0, stream,
                                 p->in, p->out, p->shape, p->workspace);
}

/* Defines launch_NAME() of a bug whose walk along a line, for the host and for
 * a GPU, is NAME_walk(p, start, line). */
#define WALK_LAUNCH(name, ...)                                                 \
    static __device__ void name##_line(const float *, float *, struct shape,   \
                                       int64_t line, struct problem p)         \
    {                                                                          \
        name##_walk(&p, plain_start(p.shape, line), line);                     \
    }                                                                          \
    static int launch_##name(const struct problem *p, void *stream)            \
    {                                                                          \
        return plain_launch<name##_line>(p, stream, *p);                       \
    }

/* A variant; further fields come before launch. */
#define PLAIN_FIELDS(text, bug, launcher, ...)                                 \
    {                                                                          \
        BROKEN_FIELDS(text, bug, ERROR_SERIAL,                                 \
                      OPS(FORM_OF(OP_CUMSUM), DTYPE_BIT(DTYPE_F32))),          \
            __VA_OPT__(__VA_ARGS__, ).launch = launcher                        \
    }

/* The table of a file with one. */
#define PLAIN_VARIANT(text, ...)                                               \
    VARIANTS(broken__##text) = { PLAIN_FIELDS(#text, __VA_ARGS__), {} }

#endif
