/* SPDX-License-Identifier: MIT
 *
 * Idea     One block walks one line tile by tile; the next tile's loads are in
 *          flight, as raw vectors in registers, while this tile is scanned.
 * Against  block_per_line: the loads wait for the scan there. Same traffic, no
 *          bubbles, and twice the registers for the data.
 * Traffic  2N elements: the compulsory minimum (passes = 1).
 * Needs    inner == 1.
 * Source   none.
 * Lesson   Loads already in flight hide the scan.
 */
#include "variants/common/access/l2_hints.cuh"
#include "variants/common/kernel.cuh"

/* A vector and its mask bytes as they came from memory: to convert or to
 * select would be to wait for them. Whole words, as halves and bytes would
 * take a register each. */
template <class T>
struct raw {
    uint4 x;
    mask_word<T> m;
};

/* Vecs vectors at at, at + stride, …, 0 from `end` on. Where lines are aligned
 * there is no branch, so that all loads can be in flight at once. */
template <class Op, bool Masked, int Vecs, class T>
__device__ __forceinline__ void
load_raw(const T *__restrict__ in, const uint8_t *__restrict__ mask, int64_t at,
         int stride, int64_t end, bool aligned, raw<T> (&r)[Vecs])
{
    if (aligned) {
#pragma unroll
        for (int j = 0; j < Vecs; ++j, at += stride) {
            r[j] = { pad_words<Op, uint4>(), 0 };
            if (at < end)
                r[j].x = *reinterpret_cast<const uint4 *>(in + at);
            if (Masked && at < end)
                r[j].m = *reinterpret_cast<const decltype(r[j].m) *>(mask + at);
        }
        return;
    }
#pragma unroll
    for (int j = 0; j < Vecs; ++j, at += stride) {
        vec<T> x;
        mask_vec<T> m;
#pragma unroll
        for (int k = 0; k < kVec<T>; ++k) {
            const bool inside = at + k < end;
            x.item[k] = inside ? in[at + k] : Op::pad();
            m.item[k] = Masked && inside ? mask[at + k] : 0;
        }
        memcpy(&r[j].x, &x, sizeof x);
        if constexpr (Masked)
            memcpy(&r[j].m, &m, sizeof m);
    }
}

template <class Op, bool Masked, class T>
__device__ __forceinline__ void convert(const raw<T> &r,
                                        typename Op::acc (&v)[kVec<T>])
{
    vec<T> x;
    mask_vec<T> m;
    memcpy(&x, &r.x, sizeof x);
    if constexpr (Masked)
        memcpy(&m, &r.m, sizeof m);
#pragma unroll
    for (int k = 0; k < kVec<T>; ++k)
        v[k] = !Masked || m.item[k] ? Op::lift(x.item[k]) : Op::identity();
}

/* As many blocks as leave 64 registers per thread. */
template <class T, class Scan, int Threads, int Vecs>
static __global__ void __launch_bounds__(Threads, 1024 / Threads)
    block_per_line_prefetch(const T *__restrict__ in,
                            const uint8_t *__restrict__ mask,
                            T *__restrict__ out, int64_t lines, int64_t axis,
                            bool aligned)
{
    TAG(fast);
    TAG(reverse, Scan::reverse);
    using Op = op_of<Scan, T>;
    using Acc = typename Op::acc;
    constexpr int kRow = 32 * kVec<T>; /* elements in one access of a warp */
    constexpr int kTile = Threads / 32 * Vecs * kRow;
    constexpr int kNext = Scan::reverse ? -kTile : kTile;
    __shared__ Acc totals[2][Threads / 32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int64_t tiles = ceil_div(axis, kTile);
    int side = 0; /* of totals */

    for (int64_t line = blockIdx.x; line < lines; line += gridDim.x) {
        const int64_t start = line * axis;
        int64_t at = (Scan::reverse ? tiles - 1 : 0) * kTile +
                     warp * Vecs * kRow + lane * kVec<T>;
        Acc carry = Op::identity();
        raw<T> next[Vecs];
        load_raw<Op, Scan::masked>(in + start, mask + start, at, kRow, axis,
                                   aligned, next);

        for (int64_t left = tiles - 1; left >= 0; --left, at += kNext) {
            /* load: take this tile, request the next */
            Acc v[Vecs][kVec<T>];
#pragma unroll
            for (int j = 0; j < Vecs; ++j)
                convert<Op, Scan::masked>(next[j], v[j]);
            if (left > 0)
                load_raw<Op, Scan::masked>(in + start, mask + start, at + kNext,
                                           kRow, axis, aligned, next);

            /* upsweep: the prefixes of the vectors in their warp */
            Acc before[Vecs];
            const Acc warp_total = rows_prefix<Op, Scan::reverse>(v, before);

            /* spine: two sides, hence one barrier per tile */
            Acc tile_total;
            const Acc base =
                Op::combine(carry, warps_prefix<Op, Scan::reverse, Threads>(
                                       warp_total, totals[side], &tile_total));
            side ^= 1;
            carry = Op::combine(carry, tile_total);

            /* downsweep, store */
#pragma unroll
            for (int j = 0; j < Vecs; ++j) {
                items_scan<Scan, Op>(v[j], Op::combine(base, before[j]));
                store_items<Op>(out + start, at + j * kRow, axis, aligned,
                                v[j]);
            }
        }
    }
}

template <int Threads, int Items>
static int launch(const struct problem *p, void *stream)
{
    return dispatch_scan(p, [&]<class T, class Scan>(tag<T>, Scan) -> int {
        const int64_t axis = p->shape.axis, lines = shape_lines(p->shape);
        return launch_kernel(
            block_per_line_prefetch<T, Scan, Threads, kTileVectors<T, Items>>,
            lines, Threads, 0, stream, p->in, p->mask, p->out, lines, axis,
            lines_aligned<T>(p->in, p->mask, p->out, axis));
    });
}

/* A tile of doubles is half as long, and the bound must hold for it too. */
#define POINT(threads, items)                                                  \
    {                                                                          \
        .name = "block_per_line_prefetch_b" #threads "_i" #items,              \
        .idea = "one block walks a line, the next tile in flight",             \
        .runs_on = DEVICE_CUDA, .ops = scans(), .passes = 1,                   \
        .error_growth = ERROR_TILED, .error_tile = threads * items / 2,        \
        .deterministic = true, .refuses = contiguous_only,                     \
        .launch = launch<threads, items>                                       \
    }

VARIANTS(scan__block_per_line_prefetch) = {
    POINT(256, 16),
    {},
};
