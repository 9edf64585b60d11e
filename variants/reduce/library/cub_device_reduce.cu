/* SPDX-License-Identifier: MIT
 *
 * Idea     CUB's sum of one line at two levels of determinism: from run to run,
 *          and from GPU to GPU, where bins by exponent make any order exact
 *          enough for the same bits.
 * Against  span_registers: portable bits without an order, not by a fixed one.
 * Traffic  N elements: the compulsory minimum (passes = 1).
 * Needs    one contiguous line: outer == 1 and inner == 1; f32 or f64. CUB with
 *          determinism in its environments (option cccl_dir).
 * Source   CUB, cub::DeviceReduce::Sum.
 * Lesson   Bits that no order changes cost additions, not memory traffic.
 */
#include "variants/common/cub_functors.cuh"

#if __has_include(<cuda/execution>)
#include <cub/device/device_reduce.cuh>
#include <cuda/execution>
#include <new>

/* Gives CUB the workspace in place of memory of its own. With a NULL workspace
 * it only sets *wanted, and CUB ends before it launches. */
struct cub_device_reduce_memory {
    void *workspace;
    size_t *wanted;
    void *allocate(cuda::stream_ref, size_t bytes, size_t)
    {
        *wanted = bytes;
        return workspace ? workspace : throw std::bad_alloc();
    }
    void deallocate(cuda::stream_ref, void *, size_t, size_t) noexcept
    {
    }
    void *allocate_sync(size_t bytes, size_t alignment)
    {
        return allocate(cuda::stream_ref{ cudaStream_t{} }, bytes, alignment);
    }
    void deallocate_sync(void *, size_t, size_t) noexcept
    {
    }
    bool operator==(const cub_device_reduce_memory &) const = default;
    friend void get_property(const cub_device_reduce_memory &,
                             cuda::mr::device_accessible) noexcept
    {
    }
};

template <class Level>
static int run(const struct problem *p, void *temp, size_t *bytes,
               cudaStream_t stream)
{
    return dispatch_reduce(p, [&]<class Op>(Op) -> int {
        using T = typename Op::element;
        if constexpr (is_addition<Op> && std::is_floating_point_v<T>) {
            const auto env = cuda::std::execution::env{
                cuda::std::execution::prop{ cuda::get_stream,
                                            cuda::stream_ref{ stream } },
                cuda::std::execution::prop{
                    cuda::mr::get_memory_resource,
                    cub_device_reduce_memory{ temp, bytes } },
                cuda::execution::require(Level{})
            };
            return cub::DeviceReduce::Sum((const T *)p->in, (T *)p->out,
                                          p->shape.axis, env);
        }
        return cudaErrorNotSupported;
    });
}

/* CUB's blocks have at least 128 threads, whose results a tree combines. */
#define POINT(level, portable)                                                 \
    {                                                                          \
        .name = "cub_device_reduce_" #level,                                   \
        .idea = "CUB sums the only line, at two levels of determinism",        \
        ON_CUDA(                                                               \
            OPS(FORM_OF(OP_SUM), DTYPE_BIT(DTYPE_F32) | DTYPE_BIT(DTYPE_F64)), \
            1),                                                                \
        ERROR_OF_TILES(128), .deterministic = true,                            \
        .loses_subnormals = portable, .refuses = one_line_only,                \
        .workspace_bytes =                                                     \
            cub_workspace_bytes<run<cuda::execution::determinism::level##_t>>, \
        .launch = cub_launch<run<cuda::execution::determinism::level##_t>>,    \
        .portable_bits = portable                                              \
    }

VARIANTS(reduce__cub_device_reduce) = {
    POINT(run_to_run, false),
    POINT(gpu_to_gpu, true),
    {},
};
#else
VARIANTS(reduce__cub_device_reduce) = { {} };
#endif
