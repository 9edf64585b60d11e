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

#include "variants/common/cub_functors.cuh"

struct by_key_line {
    int64_t axis;
    __host__ __device__ int64_t operator()(int64_t i) const
    {
        return i / axis;
    }
};

static int run(const struct problem *p, void *temp, size_t *bytes,
               cudaStream_t stream)
{
    return dispatch_scan(p, [&]<class T, class Scan>(tag<T>, Scan) -> int {
        using Op = op_of<Scan, T>;
        const int64_t n = shape_elems(p->shape);
        const auto keys = cub_items(by_key_line{ p->shape.axis });
        const auto [in, out] = cub_items_of<Op, Scan>(p);
        const cuda::std::equal_to<> same_line;
        if constexpr (Scan::exclusive)
            return cub::DeviceScan::ExclusiveScanByKey(
                temp, *bytes, keys, in, out, cub_combine<Op>{}, Op::identity(),
                n, same_line, stream);
        else
            return cub::DeviceScan::InclusiveScanByKey(temp, *bytes, keys, in,
                                                       out, cub_combine<Op>{},
                                                       n, same_line, stream);
    });
}

/* error_tile: shorter than any tile that CUB picks. */
VARIANTS(scan__cub_scan_by_key) = {
    { .name = "cub_scan_by_key",
      .idea = "CUB scans all lines at once, their numbers as keys",
      ON_CUDA(scans(), 1),
      ERROR_OF_TILES(512),
      .refuses = contiguous_only,
      BY_CUB(run) },
    {},
};
