/* SPDX-License-Identifier: MIT
 *
 * The quick check of every element of input and output. If it finds nothing
 * wrong, nothing is; if it has doubts, kernels_compare.cu decides. It relies
 * on an input only after comparing it with its definition, bit by bit.
 *
 * Sums start from the reference at every chunk. Except in f64, inputs are
 * multiples of 2^-31, which a float64 adds up exactly within a chunk. An error
 * is computed exactly only where it may be the largest so far, or beyond the
 * bound less a margin that covers the shorter arithmetic's loss.
 *
 * If lines are contiguous, the threads of a warp share a chunk, and read whole
 * vectors at neighbouring addresses. Otherwise each thread walks a chunk of its
 * own, and the next thread one of the next line.
 */
#include "harness/device/quick_check.h"

/* item = o * chunks + c; 32-bit divisions are several times faster. */
[[maybe_unused]] static __device__ __forceinline__ void
split(int64_t item, int64_t items, int64_t chunks, int64_t *o, int64_t *c)
{
    if (items >> 32 == 0) {
        *o = (uint32_t)item / (uint32_t)chunks;
        *c = (uint32_t)item - (uint32_t)*o * (uint32_t)chunks;
    } else {
        *o = item / chunks;
        *c = item % chunks;
    }
}

/* Resident blocks per multiprocessor, as limited by registers. */
template <enum dtype D>
constexpr int kBlocks = D == DTYPE_F64 ? 2 : 3;

/* For contiguous lines. */
template <enum dtype D, bool Masked, bool Scan>
static __global__ __launch_bounds__(kThreads, kBlocks<D>) void quick_check_rows(
    const __grid_constant__ check_params s, gathered *g)
{
    using bits = bits_t<D>;
    const int64_t axis = s.w.p.shape.axis, chunks = s.w.chunks;
    const int64_t items = s.w.p.shape.outer * chunks;
    const int lane = threadIdx.x % 32;
    constexpr int kWarps = kThreads / 32;
    unsigned rounds = 0;
    findings seen = {};
    for (int64_t item = blockIdx.x * (int64_t)kWarps + threadIdx.x / 32;
         item < items; item += gridDim.x * (int64_t)kWarps) {
        int64_t line, c;
        split(item, items, chunks, &line, &c);
        const int64_t step = c * kChunk + lane * kItems;
        const int count =
            (int)max((int64_t)0, min(axis - step, (int64_t)kItems));
        const bool backward = Scan && s.w.reverse;
        const int64_t a = backward ? axis - step - count : step;
        const int64_t index = line * axis + a;
        elements<D> e;
        e.valid = (1u << count) - 1;
        if (Scan && rounds++ % kReadsEvery == 0)
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
        seen.doubt |= mismatch_input<D, Masked, Scan>(l, a, index, 1, e) != 0;
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
        if (!Scan && s.w.p.op == OP_READ)
            seen.word ^= word_of<D>(e, index, 1);
    }
    gather_results(seen, g);
}

/* For strided or short lines. */
template <enum dtype D, bool Masked, bool Scan>
static __global__ __launch_bounds__(kThreads, 2) void quick_check_threads(
    const __grid_constant__ check_params s, gathered *g)
{
    using bits = bits_t<D>;
    const struct shape shape = s.w.p.shape;
    const int64_t items = shape.outer * s.w.chunks * shape.inner;
    const int64_t steps = min((int64_t)kChunk, shape.axis);
    const int lane = threadIdx.x % 32;
    findings seen = {};
    for (int64_t item = blockIdx.x * (int64_t)kThreads + threadIdx.x;
         item - lane < items; item += gridDim.x * (int64_t)kThreads) {
        const bool there = item < items;
        int64_t row, i, o, c;
        split(there ? item : 0, items, shape.inner, &row, &i);
        split(row, items, s.w.chunks, &o, &c);
        const struct input_line l = line_of(s.w, o * shape.inner + i);
        const bool backward = Scan && s.w.reverse;
        const int way = backward ? -1 : 1;
        total before = {};
        double whole = 0;
        if (Scan && there) {
            before = prefix_of(s, item);
            whole = whole_of<D>(s, l);
        }
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
            if (Scan && at % (kChunk / kReadsEvery) == 0)
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
            seen.doubt |=
                mismatch_input<D, Masked, Scan>(l, a, index, way, e) != 0;
            if constexpr (Scan) {
                judge_scan<D, Masked>(s, e, before, whole, &seen,
                                      &g->max_error_bits);
                before = total_join(before, total_of<D, Masked>(e));
            } else if (s.judged)
                seen.doubt |= mismatch_moved<D, Masked>(e) != 0;
            if (!Scan && s.w.p.op == OP_READ)
                seen.word ^= word_of<D>(e, index, shape.inner);
        }
    }
    gather_results(seen, g);
}

template <enum dtype D, bool Masked, bool Scan>
static void launch(const check_params &s, gathered *g)
{
    const struct shape shape = s.w.p.shape;
    const int64_t items = shape.outer * s.w.chunks * shape.inner;
    /* On a short line most lanes of a warp would be idle. */
    if (shape.inner == 1 && shape.axis >= kChunk / 4)
        quick_check_rows<D, Masked, Scan>
            <<<(unsigned)blocks_for(items * 32), kThreads>>>(s, g);
    else
        quick_check_threads<D, Masked, Scan>
            <<<(unsigned)blocks_for(items), kThreads>>>(s, g);
}

template <bool Masked>
static void launch_for_op(const check_params &s, gathered *g)
{
    constexpr bool kScans = Masked ? is_built(OP_MASKED_CUMSUM)
                                   : is_built(OP_CUMSUM) ||
                                         is_built(OP_CUMSUM_EXCLUSIVE) ||
                                         is_built(OP_CUMSUM_REVERSE);
    with_dtype<kBuiltFloats>(s.w.p.dtype, [&](auto d) {
        constexpr enum dtype kDtype = decltype(d)::value;
        if (!op_is_scan(s.w.p.op))
            launch<kDtype, Masked, false>(s, g);
        else if constexpr (kScans)
            launch<kDtype, Masked, true>(s, g);
    });
}

int quick_check(const walk &w, const struct reference *r, bool cancelling,
                double bound, gathered *g)
{
    const enum op op = w.p.op;
    check_params s = {};
    s.w = w;
    s.prefixes = r->prefixes;
    s.whole = r->whole;
    s.judged = !op_is_reduction(op) && op != OP_READ;
    s.exclusive = op_is_exclusive(op);
    s.cancelling = cancelling;
    s.limit = bound * kMargin;
    s.exact = w.input.kind == INPUT_EXACT;
    if (w.masked)
        launch_for_op<true>(s, g);
    else
        launch_for_op<false>(s, g);
    return cudaGetLastError();
}
