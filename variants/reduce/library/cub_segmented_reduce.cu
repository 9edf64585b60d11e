/* SPDX-License-Identifier: MIT
 *
 * Idea     CUB's segmented reduction; the segments' ends are computed, not
 *          stored. Half types are widened as they are read and rounded as
 *          they are written.
 * Against  warp_per_line: what a library gives without a kernel of one's own.
 * Traffic  N elements: the compulsory minimum (passes = 1).
 * Needs    inner == 1, fewer than 2^31 lines.
 * Source   NVIDIA CUB, cub::DeviceSegmentedReduce.
 * Lesson   The library reaches the ceiling for the segments that it was made
 *          for.
 */
#include <cub/device/device_segmented_reduce.cuh>
#include <cuda/std/functional>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>

#include "variants/common/kernel.cuh"

/* Types of this file alone: CUB makes linker symbols of them. */
namespace
{
struct line_start {
    int64_t axis;
    __host__ __device__ int64_t operator()(int64_t line) const
    {
        return line * axis;
    }
};

template <class T>
struct widen {
    __device__ float operator()(T value) const
    {
        return to_acc(value);
    }
};

template <class T>
struct narrow {
    __device__ T operator()(float value) const
    {
        return from_acc<T>(value);
    }
};
} // namespace

/* Without temporary storage, asks how much is needed. */
template <class T>
static cudaError_t reduce(const struct problem *p, void *temporary,
                          size_t *bytes, void *stream)
{
    auto starts = thrust::make_transform_iterator(
        thrust::make_counting_iterator((int64_t)0),
        line_start{ p->shape.axis });
    auto sum = [&](auto in, auto out) {
        return cub::DeviceSegmentedReduce::Reduce(
            temporary, *bytes, in, out, shape_lines(p->shape), starts,
            starts + 1, cuda::std::plus<acc_t<T>>{}, acc_t<T>(0),
            (cudaStream_t)stream);
    };
    const T *in = (const T *)p->in;
    T *out = (T *)p->out;
    if constexpr (sizeof(T) > 2)
        return sum(in, out);
    else
        return sum(thrust::make_transform_iterator(in, widen<T>{}),
                   thrust::make_transform_output_iterator(out, narrow<T>{}));
}

static size_t workspace_bytes(const struct problem *p)
{
    size_t bytes = 0;
    dispatch_dtype(p->dtype, [&](auto type) -> int {
        using T = typename decltype(type)::type;
        return reduce<T>(p, NULL, &bytes, NULL);
    });
    return bytes ? bytes : 1;
}

static int launch(const struct problem *p, void *stream)
{
    size_t bytes = workspace_bytes(p);
    return dispatch_dtype(p->dtype, [&](auto type) -> int {
        using T = typename decltype(type)::type;
        return reduce<T>(p, p->workspace, &bytes, stream);
    });
}

static const char *refuses(const struct problem *p)
{
    if (p->shape.inner != 1)
        return "serves contiguous lines only (inner = 1)";
    if (shape_lines(p->shape) > INT32_MAX)
        return "older CUB counts segments in 32 bits";
    return NULL;
}

/* CUB's blocks have 128 threads or more, whose sums it joins by a tree. */
VARIANTS(reduce__cub_segmented_reduce) = {
    { .name = "cub_segmented_reduce",
      .idea = "CUB's segmented reduction over computed offsets",
      .runs_on = DEVICE_CUDA,
      .ops = OP_BIT(OP_SUM),
      .dtypes = DTYPES_ALL,
      .passes = 1,
      .error_growth = ERROR_TILED,
      .error_tile = 128,
      .deterministic = true,
      .refuses = refuses,
      .workspace_bytes = workspace_bytes,
      .launch = launch },
    {},
};
