/* SPDX-License-Identifier: MIT
 *
 * Idea     One warp or one block per line: 16-byte loads, several in flight
 *          per thread, and a tree of shuffles. With one warp per line there is
 *          no barrier; otherwise the warps combine their results in shared
 *          memory.
 * Against  smem_tree: two to eight elements per load, and five shuffles instead
 *          of a barrier per step.
 * Traffic  N elements: the compulsory minimum (passes = 1).
 * Needs    inner == 1; for sums of floats, lines that 32 to 512 threads can
 *          walk in about a second.
 * Source   none.
 * Lesson   Wide loads and shuffles reach the ceiling with many lines; one line
 *          leaves the GPU empty.
 */
#include "variants/common/access/wide.cuh"
#include "variants/common/kernel.cuh"

/* This thread's part of a line by an operator that has absorb(): the `vecs`
 * vectors at `body`, the first of which is at place `head`, and the elements
 * outside of them. */
template <class Op, int Width, int LineThreads, int Loads, class T>
__device__ __forceinline__ typename Op::acc
absorbed_part(const T *x, const vec<T, Width> *body, int head, int64_t vecs,
              int64_t axis, int rank)
{
    typename Op::acc sum = Op::identity();
    for (int64_t at = rank; at < vecs; at += LineThreads * Loads) {
        vecs_in_words<vec<T, Width>, Loads> v;
        using words = typename decltype(v)::words;
        const auto is_there = [&](int j) {
            return at + j * LineThreads < vecs;
        };
#pragma unroll
        for (int j = 0; j < Loads; ++j)
            v.vec[j] =
                is_there(j)
                    ? load_unit((const words *)body + at + j * LineThreads)
                    : pad_words<Op, words>();
        sum = Op::template absorb<Loads * Width, ADJACENT>(sum, v, [&](int k) {
            return head + (at + k / Width * LineThreads) * Width + k % Width;
        });
    }
    const int64_t tail = head + vecs * Width + rank;
    if (rank < head)
        sum = Op::combine(sum, Op::lift(x[rank], rank));
    if (tail < axis)
        sum = Op::combine(sum, Op::lift(x[tail], tail));
    return sum;
}

/* The part of thread `rank` of LineThreads in a line. Vectors are strided
 * across threads, which take the elements before the first and after the last
 * one by one. */
template <class Op, int LineThreads, int Loads, class T>
__device__ __forceinline__ typename Op::acc strided_part(const T *x,
                                                         int64_t axis, int rank)
{
    constexpr int kWidth = kVec<T>;
    constexpr int kTile = LineThreads * Loads; /* vectors */
    int64_t head = (16 - (uintptr_t)x % 16) % 16 / sizeof(T);
    head = head < axis ? head : axis;
    const auto *body = reinterpret_cast<const vec<T, kWidth> *>(x + head);
    const int64_t vecs = (axis - head) / kWidth;
    if constexpr (kAbsorbs<Op>)
        return absorbed_part<Op, kWidth, LineThreads, Loads>(x, body, (int)head,
                                                             vecs, axis, rank);
    typename Op::acc sums[kWidth];
    set_identity<Op>(sums);
    const auto add = [&](const vec<T, kWidth> &v, int64_t at) {
#pragma unroll
        for (int k = 0; k < kWidth; ++k)
            sums[k] = Op::combine(sums[k],
                                  Op::lift(v.item[k], head + at * kWidth + k));
    };
    int64_t at = rank;
    for (; at + (kTile - LineThreads) < vecs; at += kTile) {
        vec<T, kWidth> v[Loads];
#pragma unroll
        for (int j = 0; j < Loads; ++j)
            v[j] = load_unit(body + at + j * LineThreads);
#pragma unroll
        for (int j = 0; j < Loads; ++j)
            add(v[j], at + j * LineThreads);
    }
    for (; at < vecs; at += LineThreads)
        add(load_unit(body + at), at);
    const int64_t tail = head + vecs * kWidth + rank;
    if (rank < head)
        sums[0] = Op::combine(sums[0], Op::lift(x[rank], rank));
    if (tail < axis)
        sums[1] = Op::combine(sums[1], Op::lift(x[tail], tail));
    return items_reduce<Op, false>(sums);
}

/* As above, in consecutive elements, for an operator that does not commute. */
template <class Op, int LineThreads, class T>
__device__ __forceinline__ typename Op::acc ordered_part(const T *x,
                                                         int64_t axis, int rank)
{
    const auto mine = share_of<Op>(axis, rank, LineThreads);
    typename Op::acc sum = Op::identity();
    for (int64_t a = mine.begin; a < mine.end; ++a)
        sum = Op::combine(sum, Op::lift(x[a], a));
    return sum;
}

/* LineThreads threads share a line. */
template <class Op, int Threads, int LineThreads, int Loads,
          class T = typename Op::element>
static __global__ void __launch_bounds__(Threads)
    warp_per_line(const T *__restrict__ in, output_of<Op> *__restrict__ out,
                  int64_t lines, int64_t axis)
{
    using Acc = typename Op::acc;
    constexpr int kLines = Threads / LineThreads; /* in flight per block */
    __shared__ Acc warp_sums[Threads / 32];
    const int rank = threadIdx.x % LineThreads;

    for (int64_t first = blockIdx.x * (int64_t)kLines; first < lines;
         first += gridDim.x * (int64_t)kLines) {
        const int64_t line = first + threadIdx.x / LineThreads;
        if (LineThreads == 32 && line >= lines)
            return; /* the whole warp; no barrier follows */

        /* load */
        const T *x = in + line * axis;
        Acc sum;
        if constexpr (Op::commutative)
            sum = strided_part<Op, LineThreads, Loads>(x, axis, rank);
        else
            sum = ordered_part<Op, LineThreads>(x, axis, rank);

        /* upsweep */
        __syncwarp();
        sum = warp_reduce<Op>(sum);
        if constexpr (LineThreads > 32) {
            if (threadIdx.x % 32 == 0)
                warp_sums[threadIdx.x / 32] = sum;
            __syncthreads();
            sum = Op::identity();
            if (rank == 0)
                for (int warp = 0; warp < LineThreads / 32; ++warp)
                    sum = Op::combine(sum, warp_sums[warp]);
        }

        /* store */
        if (rank == 0)
            out[line] = Op::lower(sum, axis);
        if (LineThreads > 32 && first + gridDim.x * (int64_t)kLines < lines)
            __syncthreads(); /* warp_sums may be written again */
    }
}

template <int LineThreads, int Items>
static int launch(const struct problem *p, void *stream)
{
    constexpr int kThreads = LineThreads == 32 ? 256 : LineThreads;
    return dispatch_reduce(p, [&]<class Op>(Op) -> int {
        const int64_t lines = shape_lines(p->shape);
        const int64_t blocks = ceil_div(lines, kThreads / LineThreads);
        return launch_kernel(
            warp_per_line<Op, kThreads, LineThreads, Items / 4>, blocks,
            kThreads, 0, stream, p->in, p->out, lines, p->shape.axis);
    });
}

template <int LineThreads>
static const char *refuses(const struct problem *p)
{
    if (p->shape.inner != 1)
        return "serves contiguous lines only (inner = 1)";
    if (adds_floats(p) && p->shape.axis > (int64_t)LineThreads << 23)
        return "so few threads would walk the line for seconds";
    return index_refuses(p);
}

/* Threads per line, and f32 items in flight per thread. error_tile is that of
 * doubles, whose vectors are the shortest. */
#define POINT(threads, items)                                                  \
    {                                                                          \
        .name = "warp_per_line_b" #threads "_i" #items,                        \
        .idea = "16-byte loads and a tree of shuffles",                        \
        ON_CUDA(reductions(), 1), ERROR_OF_TILES(threads * 2),                 \
        .deterministic = true, .refuses = refuses<threads>,                    \
        .launch = launch<threads, items>, .portable_bits = true                \
    }

VARIANTS(reduce__warp_per_line) = {
#ifndef OTHER_OPERATORS
    POINT(32, 16),
#endif
    POINT(256, 16),
    {},
};
