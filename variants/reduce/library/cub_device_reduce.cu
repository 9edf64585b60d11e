/* SPDX-License-Identifier: MIT
 *
 * Idea     CUB's sum of one line at two levels of determinism: from run to run,
 *          and from GPU to GPU, where bins by exponent make any order exact
 *          enough for the same bits.
 * Against  row_tma_ring: portable bits without an order, not by a fixed one.
 * Traffic  N elements: the compulsory minimum (passes = 1).
 * Needs    one contiguous line: outer == 1 and inner == 1; f32 or f64. CUB with
 *          determinism in its environments (option cccl_dir).
 * Source   CUB, cub::DeviceReduce::Sum.
 * Lesson   Bits that no order changes cost additions, not memory traffic.
 */
#include "variants/common/cub_environment.cuh"

#if __has_include(<cuda/execution>)
#include <cub/device/device_reduce.cuh>

template <class Level>
static int run(const struct problem *p, void *temp, size_t *bytes,
               cudaStream_t stream)
{
    return dispatch_reduce(p, [&]<class Op>(Op) -> int {
        using T = typename Op::element;
        if constexpr (is_addition<Op> && std::is_floating_point_v<T>) {
            return cub::DeviceReduce::Sum(
                (const T *)p->in, (T *)p->out, p->shape.axis,
                cub_environment<Level>(temp, bytes, stream));
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
        BY_CUB(run<cuda::execution::determinism::level##_t>),                  \
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
