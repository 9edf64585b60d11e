/* SPDX-License-Identifier: MIT
 *
 * Idea     CUB's segmented scan between the offsets of ragged lines. In
 *          reverse, rows and segments are counted from the end.
 * Against  ragged_spans: a block per segment instead of spans of equal memory.
 * Traffic  2N elements: the compulsory minimum (passes = 1).
 * Needs    ragged lines, inner == 1. CUB 3.3 (option cccl_dir).
 * Source   CUB, cub::DeviceSegmentedScan::InclusiveSegmentedScan.
 * Lesson   A worker per segment waits for the longest one.
 */
#include "variants/common/cub_functors.cuh"

#if __has_include(<cub/device/device_segmented_scan.cuh>)
#include <cub/device/device_segmented_scan.cuh>

constexpr unsigned kNeeds = NEEDS_RAGGED;

/* The item at which segment k begins. */
struct segmented_scan_start {
    const void *offsets;
    int bytes;
    int64_t segments, items; /* items: 0 forwards */
    __host__ __device__ int64_t operator()(int64_t k) const
    {
        return items ? items - offset_at(offsets, bytes, segments - k)
                     : offset_at(offsets, bytes, k);
    }
};

template <class Op, class Scan>
static int segmented_scan(const struct problem *p, void *temp, size_t *bytes,
                          cudaStream_t stream)
{
    const auto [in, out] = cub_items_of<Op, Scan>(p);
    const auto starts = cub_items(
        segmented_scan_start{ p->offsets, p->offset_bytes, p->segments,
                              Scan::reverse ? p->shape.axis : 0 });
    return cub::DeviceSegmentedScan::InclusiveSegmentedScan(
        temp, *bytes, in, out, starts, starts + 1, p->segments,
        cub_combine<Op>{}, stream);
}

static int run(const struct problem *p, void *temp, size_t *bytes,
               cudaStream_t stream)
{
    return dispatch_scan<kNeeds>(
        p, [&]<class T, class Scan>(tag<T>, Scan) -> int {
            if constexpr (!Scan::exclusive && !Scan::masked)
                return segmented_scan<op_of<Scan, T>, Scan>(p, temp, bytes,
                                                            stream);
            return cudaErrorNotSupported;
        });
}

static const char *refuses(const struct problem *p)
{
    return !p->offsets || p->shape.inner != 1
               ? "serves ragged lines without an inner extent only"
               : NULL;
}

VARIANTS(scan__cub_segmented_scan) = {
    { .name = "cub_segmented_scan",
      .idea = "CUB's segmented scan over offsets",
      ON_CUDA(scans<kNeeds>(FORM(KIND_SCAN, 0) | FORM(KIND_SCAN, OP_REVERSE)),
              1),
      ERROR_OF_TILES(128),
      .refuses = refuses,
      BY_CUB(run),
      .ragged = true },
    {},
};
#else
VARIANTS(scan__cub_segmented_scan) = { {} };
#endif
