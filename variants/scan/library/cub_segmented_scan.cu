/* SPDX-License-Identifier: MIT
 *
 * Idea     CUB's segmented scan between the offsets of ragged lines. In
 *          reverse, rows and segments are counted from the end.
 * Against  ragged_spans: a worker per segment instead of spans of equal memory.
 * Traffic  2N elements: the compulsory minimum (passes = 1).
 * Needs    ragged lines, inner == 1. CUB 3.3 (option cccl_dir).
 * Source   CUB, cub::DeviceSegmentedScan::InclusiveSegmentedScan.
 * Lesson   A worker per segment waits for the longest one.
 */
#include <cub/version.cuh>

#include "variants/scan/library/cub_functors.cuh"

#if CUB_VERSION >= 300300
#include <cub/device/device_segmented_scan.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>

constexpr unsigned kNeeds = NEEDS_RAGGED;

/* Where segment k begins, which in reverse is where the k-th from the end ends,
 * counted from the end. */
struct segmented_scan_start {
    const void *offsets;
    int bytes;
    int64_t segments, reversed; /* rows, or -1 forwards */
    __host__ __device__ int64_t operator()(int64_t k) const
    {
        return reversed < 0
                   ? offset_at(offsets, bytes, k)
                   : reversed - offset_at(offsets, bytes, segments - k);
    }
};

/* Scans; with temp == NULL only sets *bytes to the size of temp. */
template <class Op, bool Reverse>
static int scan_segments(const struct problem *p, void *temp, size_t *bytes,
                         void *stream)
{
    using T = typename Op::element;
    const thrust::counting_iterator<int64_t> count(0);
    const int64_t rows = p->shape.axis;
    const auto starts = thrust::make_transform_iterator(
        count, segmented_scan_start{ p->offsets, p->offset_bytes, p->segments,
                                     Reverse ? rows : -1 });
    const auto in = thrust::make_transform_iterator(
        count, cub_load<Op, false>{ (const T *)p->in, NULL });
    const auto out =
        thrust::make_transform_output_iterator((T *)p->out, cub_store<Op>{});
    const auto scan = [&](auto from, auto to) {
        return cub::DeviceSegmentedScan::InclusiveSegmentedScan(
            temp, *bytes, from, to, starts, starts + 1, p->segments,
            cub_combine<Op>{}, (cudaStream_t)stream);
    };
    if constexpr (Reverse)
        return scan(thrust::make_reverse_iterator(in + rows),
                    thrust::make_reverse_iterator(out + rows));
    else
        return scan(in, out);
}

static int run(const struct problem *p, void *temp, size_t *bytes, void *stream)
{
    return dispatch_scan<kNeeds>(
        p, [&]<class T, class Scan>(tag<T>, Scan) -> int {
            if constexpr (Scan::exclusive || Scan::masked)
                return cudaErrorNotSupported;
            else
                return scan_segments<op_of<Scan, T>, Scan::reverse>(
                    p, temp, bytes, stream);
        });
}

static int launch(const struct problem *p, void *stream)
{
    size_t bytes = SIZE_MAX; /* at least workspace_bytes() */
    return run(p, p->workspace, &bytes, stream);
}

static size_t workspace_bytes(const struct problem *p)
{
    size_t bytes = 0;
    run(p, NULL, &bytes, NULL);
    return bytes ? bytes : 1;
}

static const char *refuses(const struct problem *p)
{
    return !p->offsets || p->shape.inner != 1
               ? "serves ragged lines without an inner extent only"
               : NULL;
}
#endif

VARIANTS(scan__cub_segmented_scan) = {
#if CUB_VERSION >= 300300
    { .name = "cub_segmented_scan",
      .idea = "CUB's segmented scan between the offsets of ragged lines",
      .runs_on = DEVICE_CUDA,
      .ops = scans<kNeeds>(FORM(KIND_SCAN, 0) | FORM(KIND_SCAN, OP_REVERSE)),
      .passes = 1,
      .error_growth = ERROR_TILED,
      .error_tile = 128,
      .deterministic = false,
      .refuses = refuses,
      .workspace_bytes = workspace_bytes,
      .launch = launch,
      .ragged = true },
#endif
    {},
};
