/* SPDX-License-Identifier: MIT
 *
 * A block's reduction or scan of a span of one line, in tiles with a carry, for
 * designs that differ in what surrounds the block's scan. Every thread of a
 * block of kTileThreads calls these functions, with equal arguments.
 */
#ifndef VARIANTS_SCAN_MULTI_PASS_TILE_SCAN_CUH
#define VARIANTS_SCAN_MULTI_PASS_TILE_SCAN_CUH

#include "variants/common/kernel.cuh"

constexpr int kTileThreads = 256;

/* 16 items per thread; one of 8 bytes takes two registers. */
constexpr int tile_elems(size_t elem_bytes)
{
    return (elem_bytes == 8 ? 8 : 16) * kTileThreads;
}
template <class T>
constexpr int kTileElems = tile_elems(sizeof(T));

template <class T>
constexpr int kTileVecs = kTileElems<T> / kTileThreads / kVec<T>;

/* A thread's part of a tile. */
template <class Op>
using tile_items = typename Op::acc[kTileVecs<typename Op::element>]
                                   [kVec<typename Op::element>];

/* The scan that turns totals into carries. */
template <bool Reverse>
using carry_scan = scan_form<Reverse, true, false>;

/* Offset of this thread's vector j in the tile. A warp's access covers 512
 * contiguous bytes. */
template <class T>
__device__ __forceinline__ int tile_offset(int j)
{
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    return ((warp * kTileVecs<T> + j) * 32 + lane) * kVec<T>;
}

/* The tile that starts at `first`, the identity from `end` on. */
template <class Op, bool Masked, class T>
__device__ __forceinline__ void load_tile(const T *in, const uint8_t *mask,
                                          int64_t first, int64_t end,
                                          bool aligned, tile_items<Op> &v)
{
    load_items<Op, Masked>(in, mask, first + tile_offset<T>(0),
                           (int)(tile_offset<T>(1) - tile_offset<T>(0)), end,
                           aligned, v);
}

template <class Op, class T>
__device__ __forceinline__ void store_tile(T *out, int64_t first, int64_t end,
                                           bool aligned,
                                           const tile_items<Op> &v)
{
#pragma unroll
    for (int j = 0; j < kTileVecs<T>; ++j)
        store_items<Op>(out, first + tile_offset<T>(j), end, aligned, v[j]);
}

/* Replaces the tile by its scan with that carry-in, and returns the carry into
 * the next tile. `totals` is shared memory for kTileThreads / 32 values; it may
 * be written again after one more barrier. */
template <class Scan, class Op, int Vecs, int Width>
__device__ __forceinline__ typename Op::acc
scan_tile(typename Op::acc (&v)[Vecs][Width], typename Op::acc carry,
          typename Op::acc *totals)
{
    using Acc = typename Op::acc;
    Acc before[Vecs], tile_total;
    const Acc warp_total = rows_prefix<Op, Scan::reverse>(v, before);
    const Acc warps_before =
        Op::combine(carry, warps_prefix<Op, Scan::reverse, kTileThreads>(
                               warp_total, totals, &tile_total));
#pragma unroll
    for (int j = 0; j < Vecs; ++j)
        items_scan<Scan, Op>(v[j], Op::combine(warps_before, before[j]));
    return Op::combine(carry, tile_total);
}

/* Scans elements [first, end) of a line with that carry-in, and returns the
 * carry out. `first` is a multiple of kVec<T>. */
template <class Scan, class Op, class T>
__device__ __forceinline__ typename Op::acc
scan_span(const T *in, const uint8_t *mask, T *out, int64_t first, int64_t end,
          bool aligned, typename Op::acc carry)
{
    /* Two sets in alternation: one barrier per tile. */
    __shared__ typename Op::acc totals[2][kTileThreads / 32];
    const int64_t tiles = ceil_div(end - first, kTileElems<T>);

    for (int64_t step = 0; step < tiles; ++step) {
        const int64_t tile = Scan::reverse ? tiles - 1 - step : step;
        const int64_t at = first + tile * kTileElems<T>;
        tile_items<Op> v;
        load_tile<Op, Scan::masked>(in, mask, at, end, aligned, v);
        carry = scan_tile<Scan, Op>(v, carry, totals[step % 2]);
        store_tile<Op>(out, at, end, aligned, v);
    }
    __syncthreads(); /* totals are read before the next span writes them */
    return carry;
}

/* The reduction of elements [first, end) of a line, in every thread. */
template <class Op, bool Reverse, bool Masked, class T>
__device__ __forceinline__ typename Op::acc
reduce_span(const T *in, const uint8_t *mask, int64_t first, int64_t end,
            bool aligned)
{
    using Acc = typename Op::acc;
    __shared__ Acc totals[kTileThreads / 32];
    Acc mine = Op::identity(), warp_total, total;
    if constexpr (Op::commutative) {
        for (int64_t at = first; at < end; at += kTileElems<T>) {
            tile_items<Op> v;
            load_tile<Op, Masked>(in, mask, at, end, aligned, v);
            Acc sum = items_reduce<Op, false>(v[0]);
#pragma unroll
            for (int j = 1; j < kTileVecs<T>; ++j)
                sum = Op::combine(sum, items_reduce<Op, false>(v[j]));
            mine = Op::combine(mine, sum);
        }
        warp_prefix<Op, false>(mine, &warp_total);
        warps_prefix<Op, false, kTileThreads>(warp_total, totals, &total);
    } else {
        /* In order: tile by tile, as scan_span() without the store. */
        const int64_t tiles = ceil_div(end - first, kTileElems<T>);
        total = Op::identity();
        for (int64_t step = 0; step < tiles; ++step) {
            const int64_t tile = Reverse ? tiles - 1 - step : step;
            tile_items<Op> v;
            Acc before[kTileVecs<T>], tile_total;
            load_tile<Op, Masked>(in, mask, first + tile * kTileElems<T>, end,
                                  aligned, v);
            warp_total = rows_prefix<Op, Reverse>(v, before);
            warps_prefix<Op, Reverse, kTileThreads>(warp_total, totals,
                                                    &tile_total);
            total = Op::combine(total, tile_total);
            __syncthreads(); /* totals are read before the next tile's */
        }
    }
    __syncthreads(); /* totals are read before the next span writes them */
    return total;
}

/* Scans contiguous lines, one block each. */
template <class Scan, class Op, class T>
static __global__ void __launch_bounds__(kTileThreads)
    scan_lines(const T *__restrict__ in, T *__restrict__ out, int64_t lines,
               int64_t axis, bool aligned)
{
    for (int64_t line = blockIdx.x; line < lines; line += gridDim.x)
        scan_span<Scan, Op>(in + line * axis, nullptr, out + line * axis, 0,
                            axis, aligned, Op::identity());
}

template <class Scan, class Op, class T>
int launch_scan_lines(const struct problem *p, const T *in, T *out,
                      void *stream)
{
    const int64_t lines = shape_lines(p->shape), axis = p->shape.axis;
    return launch_kernel(scan_lines<Scan, Op, T>, lines, kTileThreads, 0,
                         stream, in, out, lines, axis,
                         lines_aligned<T>(in, NULL, out, axis));
}

/* workspace_bytes() of a variant that writes an intermediate tensor. */
inline size_t tensor_bytes(const struct problem *p)
{
    return (size_t)shape_elems(p->shape) * dtype_bytes(p->dtype);
}

#endif
