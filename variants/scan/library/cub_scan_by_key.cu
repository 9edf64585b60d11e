/* SPDX-License-Identifier: MIT
 *
 * Idea     CUB scans the whole tensor as one segmented scan: the key of an
 *          element is the number of its line, computed when it is needed.
 * Against  decoupled_lookback: the same method from the library; here tiles
 *          straddle lines, so lines of any length fill them.
 * Traffic  2N elements: the compulsory minimum (passes = 1).
 * Needs    inner == 1. CUB.
 * Source   CUB, cub::DeviceScan::InclusiveScanByKey and ExclusiveScanByKey.
 * Lesson   A general tool computes keys that the shape determines.
 */
#include <cub/device/device_scan.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>

#include "variants/scan/library/cub_functors.cuh"

/* Item i of the scan is element i; of a reversed scan, the i-th element from
 * the end of the whole tensor, which reverses the order of the lines, too. */
struct by_key_place {
    int64_t last; /* the last element's index, or -1 to walk forwards */
    __host__ __device__ int64_t operator()(int64_t i) const
    {
        return last < 0 ? i : last - i;
    }
};

struct by_key_line {
    int64_t axis;
    __host__ __device__ int64_t operator()(int64_t i) const
    {
        return i / axis;
    }
};

template <class Op, bool Masked>
struct by_key_load {
    cub_load<Op, Masked> load;
    by_key_place at;
    __device__ typename Op::acc operator()(int64_t i) const
    {
        return load(at(i));
    }
};

/* Scans; with temp == NULL only sets *bytes to the size of temp. The direction
 * is a runtime value, because another instance of CUB's kernel is slow to
 * compile. */
template <class T, class Scan>
static int scan_by_key(const struct problem *p, void *temp, size_t *bytes,
                       cudaStream_t stream)
{
    using Op = op_of<Scan, T>;
    const int64_t n = shape_elems(p->shape);
    const by_key_place at = { Scan::reverse ? n - 1 : -1 };
    const thrust::counting_iterator<int64_t> items(0);
    const auto keys =
        thrust::make_transform_iterator(items, by_key_line{ p->shape.axis });
    const auto in = thrust::make_transform_iterator(
        items,
        by_key_load<Op, Scan::masked>{ { (const T *)p->in, p->mask }, at });
    const auto out = thrust::make_transform_output_iterator(
        thrust::make_permutation_iterator(
            (T *)p->out, thrust::make_transform_iterator(items, at)),
        cub_store<Op>{});
    const cuda::std::equal_to<> same_line;
    if constexpr (Scan::exclusive)
        return cub::DeviceScan::ExclusiveScanByKey(
            temp, *bytes, keys, in, out, cub_combine<Op>{}, Op::identity(), n,
            same_line, stream);
    else
        return cub::DeviceScan::InclusiveScanByKey(temp, *bytes, keys, in, out,
                                                   cub_combine<Op>{}, n,
                                                   same_line, stream);
}

static int launch(const struct problem *p, void *stream)
{
    return dispatch_scan(p, [&]<class T, class Scan>(tag<T>, Scan) -> int {
        size_t bytes = SIZE_MAX; /* at least workspace_bytes() */
        return scan_by_key<T, Scan>(p, p->workspace, &bytes,
                                    (cudaStream_t)stream);
    });
}

static size_t workspace_bytes(const struct problem *p)
{
    size_t bytes = 0;
    dispatch_scan(p, [&]<class T, class Scan>(tag<T>, Scan) -> int {
        return scan_by_key<T, Scan>(p, NULL, &bytes, NULL);
    });
    return bytes;
}

/* error_tile: shorter than any tile that CUB picks. */
VARIANTS(scan__cub_scan_by_key) = {
    { .name = "cub_scan_by_key",
      .idea = "CUB scans all lines at once, their numbers as keys",
      .runs_on = DEVICE_CUDA,
      .ops = scans(),
      .passes = 1,
      .error_growth = ERROR_TILED,
      .error_tile = 512,
      .deterministic = false,
      .refuses = contiguous_only,
      .workspace_bytes = workspace_bytes,
      .launch = launch },
    {},
};
