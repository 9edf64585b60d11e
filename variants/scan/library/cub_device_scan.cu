/* SPDX-License-Identifier: MIT
 *
 * Idea     One line is what a library's scan is made for: hand it to CUB.
 * Against  decoupled_lookback: the same method from the library.
 * Traffic  2N elements: the compulsory minimum (passes = 1).
 * Needs    one contiguous line: outer == 1 and inner == 1. CUB.
 * Source   CUB, cub::DeviceScan::InclusiveScan and ExclusiveScan.
 * Lesson   This is a library's best for one long line, and no help for many
 *          lines.
 */
#include <cub/device/device_scan.cuh>
#include <cuda/std/functional>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include "variants/common/kernel.cuh"

/* Types of this file alone: CUB makes linker symbols of them. */
namespace
{
template <class T>
struct masked {
    const T *in;
    const uint8_t *mask;
    __device__ acc_t<T> operator()(int64_t i) const
    {
        const acc_t<T> x = to_acc(in[i]);
        return mask[i] ? x : acc_t<T>(0);
    }
};
} // namespace

/* Scans, or with temp == NULL says in *bytes what room that takes. CUB gets
 * plain pointers where there are any: it knows how to read those. It carries
 * what the operator returns, so halves are summed in float. */
template <class T, class Scan>
static int device_scan(const struct problem *p, void *temp, size_t *bytes,
                       cudaStream_t stream)
{
    const int64_t n = p->shape.axis;
    const T *in = (const T *)p->in;
    T *out = (T *)p->out;
    const cuda::std::plus<acc_t<T>> add;
    if constexpr (Scan::reverse)
        return cub::DeviceScan::InclusiveScan(
            temp, *bytes, thrust::make_reverse_iterator(in + n),
            thrust::make_reverse_iterator(out + n), add, n, stream);
    else if constexpr (Scan::masked)
        return cub::DeviceScan::InclusiveScan(
            temp, *bytes,
            thrust::make_transform_iterator(
                thrust::counting_iterator<int64_t>(0),
                masked<T>{ in, p->mask }),
            out, add, n, stream);
    else if constexpr (Scan::exclusive)
        return cub::DeviceScan::ExclusiveScan(temp, *bytes, in, out, add,
                                              acc_t<T>(0), n, stream);
    else
        return cub::DeviceScan::InclusiveScan(temp, *bytes, in, out, add, n,
                                              stream);
}

static int launch(const struct problem *p, void *stream)
{
    return dispatch_scan(p, [&](auto type, auto scan) -> int {
        size_t bytes = SIZE_MAX; /* at least workspace_bytes() */
        return device_scan<typename decltype(type)::type, decltype(scan)>(
            p, p->workspace, &bytes, (cudaStream_t)stream);
    });
}

static size_t workspace_bytes(const struct problem *p)
{
    size_t bytes = 0;
    dispatch_scan(p, [&](auto type, auto scan) -> int {
        return device_scan<typename decltype(type)::type, decltype(scan)>(
            p, NULL, &bytes, NULL);
    });
    return bytes;
}

static const char *refuses(const struct problem *p)
{
    return p->shape.outer != 1 || p->shape.inner != 1
               ? "serves one contiguous line only (outer = inner = 1)"
               : NULL;
}

/* error_tile: shorter than any tile that CUB picks. */
VARIANTS(scan__cub_device_scan) = {
    { .name = "cub_device_scan",
      .idea = "CUB scans the one line there is",
      .runs_on = DEVICE_CUDA,
      .ops = OPS_SCAN,
      .dtypes = DTYPES_ALL,
      .passes = 1,
      .error_growth = ERROR_TILED,
      .error_tile = 512,
      .deterministic = false,
      .refuses = refuses,
      .workspace_bytes = workspace_bytes,
      .launch = launch },
    {},
};
