/* SPDX-License-Identifier: MIT
 *
 * The walk over a block's share of an axis that is split over blocks: loads of
 * V elements line up with rows of `inner` elements every V / gcd(inner, V)
 * rows, which are a period. Element e of a period thus belongs to column e %
 * inner, and each thread has the same V places of every period.
 */
#ifndef VARIANTS_REDUCE_SPLIT_AXIS_AXIS_SPLIT_CUH
#define VARIANTS_REDUCE_SPLIT_AXIS_AXIS_SPLIT_CUH

#include "variants/reduce/split_axis/add_partials.cuh"

constexpr int kSplitThreads = kPartialThreads;

/* Blocks per SM when few lines are split, for `Loads` loads in flight per
 * thread: 64 KiB per SM keep the memory busy, and the registers suffice. */
template <int Loads>
constexpr int kSplitBlocks = 16 / Loads;

/* The layout of a problem over blocks. */
struct axis_split {
    int64_t period; /* rows */
    int64_t vecs;   /* vectors of a period */
    int columns;    /* threads side by side in a period */
    int depth;      /* periods side by side in a block */
    int64_t strips; /* blocks side by side in a period */
    int64_t pieces; /* along the axis: blocks that share a strip */
};

/* The layout with as many pieces as fill the device once. */
template <int V, int Loads>
struct axis_split axis_split_of(const struct problem *p)
{
    int64_t common = 1; /* gcd(inner, V): V is a power of two */
    while (common < V && p->shape.inner % (2 * common) == 0)
        common *= 2;
    struct axis_split s;
    s.period = V / common;
    s.vecs = p->shape.inner / common;
    s.columns = (int)(s.vecs < kSplitThreads ? s.vecs : kSplitThreads);
    s.depth = kSplitThreads / s.columns;
    s.strips = ceil_div(s.vecs, s.columns);
    const int64_t blocks = (int64_t)p->device->sm_count * kSplitBlocks<Loads>;
    const int rounds =
        p->shape.inner > 1 ? 2 : 1; /* least rounds of loads per piece */
    const int64_t most = p->shape.axis / s.period / (s.depth * Loads * rounds);
    s.pieces = blocks / (p->shape.outer * s.strips);
    s.pieces = s.pieces < most ? s.pieces : most;
    s.pieces = s.pieces > 1 ? s.pieces : 1;
    return s;
}

/* True if vectors can be loaded; otherwise the walk is in single elements,
 * V = 1, whose period is one row. */
inline bool axis_split_vectors(const struct problem *p)
{
    return (uintptr_t)p->in % 16 == 0;
}

/* Combines the block's share of places [v * V, v * V + V) into sums, v being
 * strip * columns + threadIdx.x % columns. Periods count from the tensor's
 * start; piece 0 also has the slab's rows before its first whole period and
 * after its last. */
template <class Op, int V, int Loads>
__device__ __forceinline__ void
axis_split_walk(const typename Op::element *__restrict__ in, struct shape shape,
                const struct axis_split &s, int64_t o, int64_t strip,
                int64_t piece, typename Op::acc (&sums)[V])
{
    using T = typename Op::element;
    const int64_t v = strip * s.columns + threadIdx.x % s.columns;
    const int row = threadIdx.x / s.columns; /* beyond depth: idle */
    const int64_t early = o * shape.axis % s.period;
    int64_t head = early ? s.period - early : 0;
    head = head < shape.axis ? head : shape.axis;
    const int64_t periods = (shape.axis - head) / s.period;
    const int64_t elems = s.period * shape.inner; /* per period */
    const T *slab = in + o * shape.axis * shape.inner;
    const T *x = slab + head * shape.inner + v * V;
    set_identity<Op>(sums);
    if (v >= s.vecs || row >= s.depth)
        return;

    /* Groups of Loads * depth periods alternate between pieces, so that the
     * blocks in flight walk one window of addresses. */
    const int64_t group = (int64_t)s.depth * Loads;
    for (int64_t q = piece * group + row; q < periods; q += s.pieces * group) {
        vec<T, V> y[Loads];
#pragma unroll
        for (int j = 0; j < Loads; ++j) {
            y[j] = pad_vec<Op, V>();
            if (q + j * s.depth < periods)
                y[j] = *(const vec<T, V> *)(x + (q + j * s.depth) * elems);
        }
#pragma unroll
        for (int k = 0; k < V; ++k) {
            typename Op::acc terms[Loads];
#pragma unroll
            for (int j = 0; j < Loads; ++j)
                terms[j] =
                    Op::lift(y[j].item[k], head + (q + j * s.depth) * s.period +
                                               (v * V + k) / shape.inner);
            sums[k] = Op::combine(sums[k], pairwise_sum<Op>(terms));
        }
    }
    if (piece || row)
        return;
    const int64_t late = head + periods * s.period;
    const int64_t tail = (shape.axis - late) * shape.inner;
#pragma unroll
    for (int k = 0; k < V; ++k) {
        const int64_t e = v * V + k;
        if (e < head * shape.inner)
            sums[k] = Op::combine(sums[k], Op::lift(slab[e], e / shape.inner));
        if (e < tail)
            sums[k] =
                Op::combine(sums[k], Op::lift(slab[late * shape.inner + e],
                                              late + e / shape.inner));
    }
}

/* Combines the block's rows, and the places of a contiguous line: place k of
 * thread i < columns is then in shared[k * kSplitThreads + i], and may be read
 * by that thread, or by all after a barrier; `shared` may be written again
 * after one more. Returns the number of places. */
template <class Op, int V>
__device__ __forceinline__ int
axis_split_join(const struct axis_split &s, int64_t inner,
                typename Op::acc (&sums)[V], typename Op::acc *shared)
{
    if (inner == 1) {
        const auto sum = warp_reduce<Op>(pairwise_sum<Op>(sums));
        if (threadIdx.x % 32 == 0)
            shared[threadIdx.x / 32] = sum;
        add_rows<Op>(shared, kSplitThreads / 32, 1);
        return 1;
    }
#pragma unroll
    for (int k = 0; k < V; ++k)
        shared[k * kSplitThreads + threadIdx.x] = sums[k];
    add_rows<Op, V>(shared, s.depth, s.columns);
    return V;
}

#endif
