/* SPDX-License-Identifier: MIT
 *
 * A block's share of a sum whose axis is split over blocks: for the files
 * whose idea is how the shares meet. The walk is that of period_vectors: V
 * elements a load, and rows of `inner` fall into step with them every
 * V / gcd(inner, V) rows, a period; so place e of a period is column
 * e % inner, and a thread keeps V places.
 */
#ifndef VARIANTS_REDUCE_SPLIT_AXIS_AXIS_SPLIT_CUH
#define VARIANTS_REDUCE_SPLIT_AXIS_AXIS_SPLIT_CUH

#include "variants/reduce/split_axis/partials.cuh"

constexpr int kSplitThreads = 256;

/* Blocks an SM that the pieces of few lines make, each thread having so many
 * loads in flight: together 64 KiB, which keep the memory busy, and the
 * registers suffice. */
template <int Loads>
constexpr int kSplitBlocks = 16 / Loads;

/* How a problem is laid out over blocks. */
struct axis_split {
    int64_t period; /* rows */
    int64_t vecs;   /* of a period */
    int columns;    /* threads side by side in it */
    int depth;      /* periods of a block side by side */
    int64_t strips; /* blocks side by side */
    int64_t pieces; /* of the axis: the blocks that share a strip */
};

/* For a given number of pieces. */
template <int V>
struct axis_split axis_split_into(struct shape shape, int64_t pieces)
{
    int64_t common = 1; /* gcd(inner, V): V is a power of two */
    while (common < V && shape.inner % (2 * common) == 0)
        common *= 2;
    struct axis_split s;
    s.period = V / common;
    s.vecs = shape.inner / common;
    s.columns = (int)(s.vecs < kSplitThreads ? s.vecs : kSplitThreads);
    s.depth = kSplitThreads / s.columns;
    s.strips = ceil_div(s.vecs, s.columns);
    s.pieces = pieces;
    return s;
}

/* With the pieces that fill the device once. */
template <int V, int Loads>
struct axis_split axis_split_of(const struct problem *p)
{
    struct axis_split s = axis_split_into<V>(p->shape, 1);
    const int64_t blocks = (int64_t)p->device->sm_count * kSplitBlocks<Loads>;
    const int64_t most = p->shape.axis / s.period / (s.depth * Loads * 2);
    s.pieces = blocks / (p->shape.outer * s.strips);
    s.pieces = s.pieces < most ? s.pieces : most;
    s.pieces = s.pieces > 1 ? s.pieces : 1;
    return s;
}

/* True if vectors can be loaded; else the walk is in single elements, V = 1,
 * whose period is one row. */
inline bool axis_split_vectors(const struct problem *p)
{
    return (uintptr_t)p->in % 16 == 0;
}

/* Adds the block's share of places [v * V, v * V + V) up, v being strip *
 * columns + threadIdx.x % columns. Rows before the slab's first whole period,
 * and after its last, are piece 0's: periods count from the tensor's start. */
template <class T, int V, int Loads>
__device__ __forceinline__ void
axis_split_walk(const T *__restrict__ in, struct shape shape,
                const struct axis_split &s, int64_t o, int64_t strip,
                int64_t piece, acc_t<T> (&sums)[V])
{
    struct alignas(V * sizeof(T)) load {
        T item[V];
    };
    const int64_t v = strip * s.columns + threadIdx.x % s.columns;
    const int row = threadIdx.x / s.columns; /* beyond depth: idle */
    const int64_t early = o * shape.axis % s.period;
    int64_t head = early ? s.period - early : 0;
    head = head < shape.axis ? head : shape.axis;
    const int64_t periods = (shape.axis - head) / s.period;
    const int64_t elems = s.period * shape.inner; /* of a period */
    const T *slab = in + o * shape.axis * shape.inner;
    const T *x = slab + head * shape.inner + v * V;
#pragma unroll
    for (int k = 0; k < V; ++k)
        sums[k] = 0;
    if (v >= s.vecs || row >= s.depth)
        return;

    /* Pieces take groups of Loads * depth periods in turn, so that the
     * blocks in flight walk one window of addresses. */
    const int64_t group = (int64_t)s.depth * Loads;
    for (int64_t q = piece * group + row; q < periods; q += s.pieces * group) {
        load y[Loads] = {};
#pragma unroll
        for (int j = 0; j < Loads; ++j)
            if (q + j * s.depth < periods)
                y[j] = *(const load *)(x + (q + j * s.depth) * elems);
#pragma unroll
        for (int k = 0; k < V; ++k) {
            acc_t<T> terms[Loads];
#pragma unroll
            for (int j = 0; j < Loads; ++j)
                terms[j] = to_acc(y[j].item[k]);
            sums[k] += pairwise_sum(terms);
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
            sums[k] += to_acc(slab[e]);
        if (e < tail)
            sums[k] += to_acc(slab[late * shape.inner + e]);
    }
}

/* Joins the block's rows: place k of thread i < columns is then in
 * shared[k * kSplitThreads + i], and may be read by that thread, or by all
 * after a barrier; `shared` may be written again after one more. */
template <int V, class Acc>
__device__ __forceinline__ void
axis_split_join(const struct axis_split &s, const Acc (&sums)[V], Acc *shared)
{
    const int row = threadIdx.x / s.columns;
    Acc *mine = shared + threadIdx.x;
#pragma unroll
    for (int k = 0; k < V; ++k)
        mine[k * kSplitThreads] = sums[k];
    for (int count = s.depth; count > 1;) {
        const int half = (count + 1) / 2;
        __syncthreads();
        if (row < count - half)
#pragma unroll
            for (int k = 0; k < V; ++k)
                mine[k * kSplitThreads] +=
                    mine[k * kSplitThreads + half * s.columns];
        count = half;
    }
}

#endif
