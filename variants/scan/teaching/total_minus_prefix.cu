/* SPDX-License-Identifier: MIT
 *
 * Idea     A reverse scan as the line's total minus the exclusive prefix, which
 *          takes a forward scan only. Addition only: it needs an inverse.
 * Against  block_per_line walking from the end: one more read, and near the end
 *          of a line the difference of two large sums, whose rounding errors
 *          stay when the sums cancel. After an infinity all is NaN.
 * Traffic  3N elements (passes = 1.5); the second read may come from caches.
 * Needs    inner == 1.
 * Source   x.sum(d) - x.cumsum(d) + x, a usual formulation.
 * Lesson   This saves the reversal but costs a pass, and digits where sums
 *          cancel.
 */
#include "variants/scan/multi_pass/tile_scan.cuh"

constexpr unsigned kNeeds = NEEDS_ADDITION | IS_LESSON;

template <class T>
static __global__ void __launch_bounds__(kTileThreads)
    total_minus_prefix(const T *__restrict__ in, T *__restrict__ out,
                       int64_t lines, int64_t axis, bool aligned)
{
    using Op = add<T>;
    using Acc = typename Op::acc;
    __shared__ Acc totals[kTileThreads / 32];

    for (int64_t line = blockIdx.x; line < lines; line += gridDim.x) {
        const T *x = in + line * axis;
        const Acc total =
            reduce_span<Op, false, false>(x, nullptr, 0, axis, aligned);

        Acc carry = 0;
        for (int64_t at = 0; at < axis; at += kTileElems<T>) {
            tile_items<Op> v;
            load_tile<Op, false>(x, nullptr, at, axis, aligned, v);
            carry =
                scan_tile<scan_form<false, true, false>, Op>(v, carry, totals);
#pragma unroll
            for (int j = 0; j < kTileVecs<T>; ++j)
#pragma unroll
                for (int k = 0; k < kVec<T>; ++k)
                    v[j][k] = total - v[j][k];
            store_tile<Op>(out + line * axis, at, axis, aligned, v);
            __syncthreads(); /* totals are read before the next tile's are */
        }
    }
}

static int launch(const struct problem *p, void *stream)
{
    return dispatch_scan<kNeeds>(p, [&]<class T, class Scan>(tag<T>, Scan) {
        const int64_t axis = p->shape.axis, lines = shape_lines(p->shape);
        return launch_kernel(total_minus_prefix<T>, lines, kTileThreads, 0,
                             stream, p->in, p->out, lines, axis,
                             lines_aligned<T>(p->in, p->mask, p->out, axis));
    });
}

VARIANTS(scan__total_minus_prefix) = {
    { .name = "total_minus_prefix",
      .idea = "reverse scan as total minus exclusive prefix: it cancels",
      ON_CUDA(scans<kNeeds>(FORM_OF(OP_CUMSUM_REVERSE)), 1.5),
      .error_growth = ERROR_CANCELLING,
      .deterministic = true,
      .spreads_nonfinite = true,
      .refuses = contiguous_only,
      .launch = launch },
    {},
};
