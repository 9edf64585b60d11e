/* SPDX-License-Identifier: MIT
 *
 * Contiguous lines: a warp looks at a chunk.
 */
#ifndef HARNESS_DEVICE_GLANCE_ROWS_H
#define HARNESS_DEVICE_GLANCE_ROWS_H

#include "harness/device/glance_exact.h"
#include "harness/device/glance_gather.h"
#include "harness/device/glance_real.h"

/* Resident blocks per multiprocessor, as limited by registers. */
template <enum dtype D>
constexpr int kBlocks = D == DTYPE_F64 ? 2 : 3;

template <enum dtype D, bool Exact, bool Masked, bool Scan>
static __global__ __launch_bounds__(kThreads, kBlocks<D>) void glance_rows(
    const __grid_constant__ glance_params s, gathered *g)
{
    using bits = typename bits_of<D>::type;
    const int64_t axis = s.w.p.shape.axis, chunks = s.w.chunks;
    const int64_t items = s.w.p.shape.outer * chunks;
    const int lane = threadIdx.x % 32;
    constexpr int kWarps = kThreads / 32;
    unsigned turn = 0;
    glance_result seen = {};
    for (int64_t item = blockIdx.x * (int64_t)kWarps + threadIdx.x / 32;
         item < items; item += gridDim.x * (int64_t)kWarps) {
        int64_t line, c;
        split(item, items, chunks, &line, &c);
        const int64_t step = c * kChunk + lane * kItems;
        const int count =
            (int)max((int64_t)0, min(axis - step, (int64_t)kItems));
        /* Exact input is checked against its levels, without summing, so that
         * order does not matter: ascending. */
        const bool backward = Scan && !Exact && s.w.reverse;
        const int64_t a = backward ? axis - step - count : step;
        const int64_t index = line * axis + a;
        elements<D> e;
        e.valid = (1u << count) - 1;
        if (Scan && !Exact && turn++ % kReadsEvery == 0)
            read_max_error(g, &seen);
        load((const bits *)s.w.p.in, index, count, e.x);
        if (Masked)
            load(s.w.p.mask, index, count, e.mask);
        if (Scan || s.judged) {
            const bool flipped = !Scan && s.w.reverse;
            load((const bits *)s.w.p.out,
                 flipped ? line * axis + (axis - a - count) : index, count,
                 e.y);
            if (flipped) {
                reverse(e.y); /* count < kItems: to the upper end */
                for (int gap = kItems; gap > count; --gap)
#pragma unroll
                    for (int j = 0; j + 1 < kItems; ++j)
                        e.y[j] = e.y[j + 1];
            }
            seen.checked += (unsigned)count;
        }
        const struct input_line l = line_of(s.w, line);
        if constexpr (Exact) {
            const levels<D> n = levels_of<D, Masked>(l, a, index);
            level_t<D> before = 0, last = 0;
            if constexpr (Masked) {
                const unsigned kept = n.kept & e.valid;
                level_t<D> own = 0;
#pragma unroll
                for (int j = 0; j < kItems; ++j)
                    own = kept >> j & 1 ? n.at[j + 1] : own;
                const unsigned lower =
                    __ballot_sync(kAll, kept != 0) & ((1u << lane) - 1);
                before = __shfl_sync(kAll, own, 31 - __clz((int)lower));
                if (!lower)
                    before = kept_level<D>(l, a, index);
            } else if (Scan && s.w.reverse)
                last = (level_t<D>)input_level(l, axis - 1);
            seen.doubt |=
                mismatch_exact<D, Masked, Scan>(s, n, e, last, &before) != 0;
        } else {
            seen.doubt |=
                mismatch_input<D, Masked, Scan>(l, a, index, 1, e) != 0;
            if constexpr (Scan) {
                const total prefix = prefix_of(s, item);
                const double whole = whole_of<D>(s, l);
                if (backward) {
                    reverse(e.x);
                    reverse(e.y);
                    e.valid <<= kItems - count;
                }
                const total before =
                    total_join(prefix, lanes_before<D>(total_of<D, Masked>(e)));
                judge_scan<D, Masked>(s, e, before, whole, &seen,
                                      &g->max_error_bits);
            } else if (s.judged)
                seen.doubt |= mismatch_moved<D, Masked>(e) != 0;
        }
        if (!Scan && s.w.p.op == OP_READ)
            seen.word ^= word_of<D>(e, index, 1);
    }
    gather_results(seen, g);
}

#endif
