/* SPDX-License-Identifier: MIT
 *
 * Idea     A library's scan serves one line, so CUB gets the whole tensor. CUB
 *          3.5 also promises the same sums of floats from run to run.
 * Against  decoupled_lookback: the same method from the library.
 * Traffic  2N elements: the compulsory minimum (passes = 1).
 * Needs    one contiguous line: outer == 1 and inner == 1. CUB; for the same
 *          sums from run to run 3.5 (option cccl_dir), f32 or f64, and neither
 *          a mask nor a reversed or exclusive scan.
 * Source   CUB, cub::DeviceScan::InclusiveScan and ExclusiveScan.
 * Lesson   A library's best for one long line is no help for many lines.
 */
#include <cub/device/device_scan.cuh>
#include <thrust/iterator/reverse_iterator.h>

#include "variants/common/cub_environment.cuh"

/* The input as accs. Sums get plain pointers, which CUB reads in vectors. */
template <class Op, bool Masked>
static auto input_of(const struct problem *p)
{
    const auto *in = (const typename Op::element *)p->in;
    if constexpr (is_addition<Op> && !Masked)
        return in;
    else
        return cub_items(cub_load<Op, Masked>{ in, p->mask });
}
template <class Op>
static auto scan_output_of(const struct problem *p)
{
    auto *out = (typename Op::element *)p->out;
    if constexpr (is_addition<Op>)
        return out;
    else
        return thrust::make_transform_output_iterator(out, cub_store<Op>{});
}

/* Scans; with temp == NULL only sets *bytes to the size of temp. */
template <class Op, bool Exclusive, class In, class Out>
static int device_scan(void *temp, size_t *bytes, In in, Out out, int64_t n,
                       cudaStream_t stream)
{
    const cub_combine_carried<Op> combine;
    if constexpr (Exclusive)
        return cub::DeviceScan::ExclusiveScan(temp, *bytes, in, out, combine,
                                              Op::identity(), n, stream);
    else
        return cub::DeviceScan::InclusiveScan(temp, *bytes, in, out, combine, n,
                                              stream);
}

static int run(const struct problem *p, void *temp, size_t *bytes,
               cudaStream_t stream)
{
    return dispatch_scan(p, [&]<class T, class Scan>(tag<T>, Scan) -> int {
        using Op = op_of<Scan, T>;
        const int64_t n = p->shape.axis;
        const auto in = input_of<Op, Scan::masked>(p);
        const auto out = scan_output_of<Op>(p);
        if constexpr (Scan::reverse)
            return device_scan<Op, Scan::exclusive>(
                temp, bytes, thrust::make_reverse_iterator(in + n),
                thrust::make_reverse_iterator(out + n), n, stream);
        else
            return device_scan<Op, Scan::exclusive>(temp, bytes, in, out, n,
                                                    stream);
    });
}

#if CCCL_VERSION >= 3005000
static int run_repeatably(const struct problem *p, void *temp, size_t *bytes,
                          cudaStream_t stream)
{
    return dispatch_scan(p, [&]<class T, class Scan>(tag<T>, Scan) -> int {
        if constexpr (is_addition<op_of<Scan, T>> &&
                      std::is_floating_point_v<T> && !Scan::masked &&
                      !Scan::reverse && !Scan::exclusive)
            return cub::DeviceScan::InclusiveSum(
                (const T *)p->in, (T *)p->out, p->shape.axis,
                cub_environment<cuda::execution::determinism::run_to_run_t>(
                    temp, bytes, stream));
        return cudaErrorNotSupported;
    });
}
#endif

/* error_tile: shorter than any tile that CUB picks. */
VARIANTS(scan__cub_device_scan) = {
    { .name = "cub_device_scan",
      .idea = "CUB scans the only line",
      ON_CUDA(scans(), 1),
      ERROR_OF_TILES(512),
      .refuses = one_line_only,
      BY_CUB(run) },
#if CCCL_VERSION >= 3005000
    { .name = "cub_device_scan_run_to_run",
      .idea = "CUB scans the only line",
      ON_CUDA(OPS(FORM_OF(OP_CUMSUM),
                  DTYPE_BIT(DTYPE_F32) | DTYPE_BIT(DTYPE_F64)),
              1),
      ERROR_OF_TILES(512),
      .deterministic = true,
      .refuses = one_line_only,
      BY_CUB(run_repeatably) },
#endif
    {},
};
