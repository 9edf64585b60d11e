/* SPDX-License-Identifier: MIT
 *
 * Strided or short lines: a thread walks a chunk, as in compare_scan().
 */
#ifndef HARNESS_DEVICE_GLANCE_THREADS_H
#define HARNESS_DEVICE_GLANCE_THREADS_H

#include "harness/device/glance_exact.h"
#include "harness/device/glance_gather.h"
#include "harness/device/glance_real.h"

template <enum dtype D, bool Exact, bool Masked, bool Scan>
static __global__ __launch_bounds__(kThreads, 2) void glance_threads(
    const __grid_constant__ glance_params s, gathered *g)
{
    using bits = typename bits_of<D>::type;
    const struct shape shape = s.w.p.shape;
    const int64_t items = shape.outer * s.w.chunks * shape.inner;
    const int64_t steps = min((int64_t)kChunk, shape.axis);
    const int lane = threadIdx.x % 32;
    glance_result seen = {};
    for (int64_t item = blockIdx.x * (int64_t)kThreads + threadIdx.x;
         item - lane < items; item += gridDim.x * (int64_t)kThreads) {
        const bool there = item < items;
        int64_t row, i, o, c;
        split(there ? item : 0, items, shape.inner, &row, &i);
        split(row, items, s.w.chunks, &o, &c);
        const struct input_line l = line_of(s.w, o * shape.inner + i);
        const bool backward = Scan && !Exact && s.w.reverse;
        const int way = backward ? -1 : 1;
        total before = {};
        double whole = 0;
        if (Scan && !Exact && there) {
            before = prefix_of(s, item);
            whole = whole_of<D>(s, l);
        }
        level_t<D> kept = 0, last = 0;
        if (Exact && Scan && s.w.reverse)
            last = (level_t<D>)input_level(l, shape.axis - 1);
        for (int64_t at = 0; at < steps; at += kItems) {
            const int64_t step = c * kChunk + at;
            const int count =
                there ? (int)max((int64_t)0,
                                 min(shape.axis - step, (int64_t)kItems))
                      : 0;
            const int64_t a = backward ? shape.axis - 1 - step : step;
            const int64_t index = (o * shape.axis + a) * shape.inner + i;
            elements<D> e;
            e.valid = (1u << count) - 1;
            if (Scan && !Exact && at % (kChunk / kReadsEvery) == 0)
                read_max_error(g, &seen);
#pragma unroll
            for (int j = 0; j < kItems; ++j) {
                const int64_t place = a + j * way;
                const int64_t from = index + j * way * shape.inner;
                const int64_t to =
                    !Scan && s.w.reverse
                        ? from + (shape.axis - 1 - 2 * place) * shape.inner
                        : from;
                e.x[j] = e.y[j] = 0;
                e.mask[j] = 0;
                if (j >= count)
                    continue;
                e.x[j] = ((const bits *)s.w.p.in)[from];
                if (Masked)
                    e.mask[j] = s.w.p.mask[from];
                if (Scan || s.judged)
                    e.y[j] = ((const bits *)s.w.p.out)[to];
            }
            if (Scan || s.judged)
                seen.checked += (unsigned)count;
            if constexpr (Exact) {
                if (Masked && at == 0)
                    kept = kept_level<D>(l, a, index);
                const levels<D> n = levels_of<D, Masked>(l, a, index);
                seen.doubt |=
                    mismatch_exact<D, Masked, Scan>(s, n, e, last, &kept) != 0;
            } else {
                seen.doubt |=
                    mismatch_input<D, Masked, Scan>(l, a, index, way, e) != 0;
                if constexpr (Scan) {
                    judge_scan<D, Masked>(s, e, before, whole, &seen,
                                          &g->max_error_bits);
                    before = total_join(before, total_of<D, Masked>(e));
                } else if (s.judged)
                    seen.doubt |= mismatch_moved<D, Masked>(e) != 0;
            }
            if (!Scan && s.w.p.op == OP_READ)
                seen.word ^= word_of<D>(e, index, shape.inner);
        }
    }
    gather_results(seen, g);
}

#endif
