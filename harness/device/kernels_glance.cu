/* SPDX-License-Identifier: MIT
 *
 * A fast look at every output element, and at every element of the input: it
 * either knows that compare() would find nothing wrong, or has doubts, and
 * compare() decides. What it takes for granted is only what it has just
 * compared with the input's definition, bit by bit.
 *
 * exact  Sums of the exact input telescope to its levels (src/verify/input.h),
 * so nothing is added at all, and no reference is needed. real   Sums start
 * from the reference at every chunk. Except in f64, inputs are multiples of
 * 2^-31, which a float64 adds up exactly within a chunk. An element's error is
 * divided out only where it may be the largest so far, or beyond the bound less
 * a margin that covers what the shorter arithmetic could lose.
 *
 * Where lines are contiguous a warp shares a chunk, so that it reads whole
 * vectors of neighbouring addresses; else every thread walks a chunk, and its
 * neighbour the next line's.
 */
#include "harness/device/glance_rows.h"
#include "harness/device/glance_threads.h"

template <enum dtype D, bool Exact, bool Masked, bool Scan>
static void launch(const glance_params &s, gathered *g)
{
    const struct shape shape = s.w.p.shape;
    const int64_t items = shape.outer * s.w.chunks * shape.inner;
    /* Of a short line most lanes of a warp would see nothing. */
    if (shape.inner == 1 && shape.axis >= kChunk / 4)
        glance_rows<D, Exact, Masked, Scan>
            <<<(unsigned)blocks_for(items * 32), kThreads>>>(s, g);
    else
        glance_threads<D, Exact, Masked, Scan>
            <<<(unsigned)blocks_for(items), kThreads>>>(s, g);
}

template <bool Exact, bool Masked>
static void launch_for_op(const glance_params &s, gathered *g)
{
    with_dtype(s.w.p.dtype, [&](auto d) {
        constexpr enum dtype kDtype = decltype(d)::value;
        if (op_is_scan(s.w.p.op))
            launch<kDtype, Exact, Masked, true>(s, g);
        else
            launch<kDtype, Exact, Masked, false>(s, g);
    });
}

int glance(const walk &w, const struct reference *r, bool cancelling,
           double bound, gathered *g)
{
    const enum op op = w.p.op;
    glance_params s = {};
    s.w = w;
    s.prefixes = r->prefixes;
    s.whole = r->whole;
    s.judged = op != OP_SUM && op != OP_READ;
    s.exclusive = op == OP_CUMSUM_EXCLUSIVE;
    s.cancelling = cancelling;
    s.limit = bound * kMargin;
    const bool exact = w.input.kind == INPUT_EXACT;
    if (exact && w.masked)
        launch_for_op<true, true>(s, g);
    else if (exact)
        launch_for_op<true, false>(s, g);
    else if (w.masked)
        launch_for_op<false, true>(s, g);
    else
        launch_for_op<false, false>(s, g);
    return cudaGetLastError();
}
