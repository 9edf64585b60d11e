/* SPDX-License-Identifier: MIT
 *
 * A block's reduction or scan of a span of one line, in tiles with a carry: for
 * the files whose idea lies around the block's scan, not in it. Every thread
 * of a block of kTileThreads calls these functions, with equal arguments.
 */
#ifndef VARIANTS_SCAN_MULTI_PASS_TILE_SCAN_CUH
#define VARIANTS_SCAN_MULTI_PASS_TILE_SCAN_CUH

#include "variants/common/kernel.cuh"

constexpr int kTileThreads = 256;

/* 16 items a thread; a double takes two registers. */
template <class T>
constexpr int kTileElems = (sizeof(T) == 8 ? 8 : 16) * kTileThreads;

template <class T>
constexpr int kTileVecs = kTileElems<T> / kTileThreads / kVec<T>;

inline int64_t tile_elems(enum dtype dtype)
{
    static_assert(kTileElems<__half> == kTileElems<float>);
    return dtype == DTYPE_F64 ? kTileElems<double> : kTileElems<float>;
}

inline size_t acc_bytes(enum dtype dtype)
{
    return dtype == DTYPE_F64 ? sizeof(double) : sizeof(float);
}

/* A thread's part of a tile. */
template <class T>
using tile_items = acc_t<T>[kTileVecs<T>][kVec<T>];

/* What turns the totals of tiles or chunks into the carries that enter them:
 * an exclusive scan in walk order. */
template <class Op, bool Reverse>
struct carry_scan {
    template <class>
    using op = Op;
    static constexpr bool reverse = Reverse;
    static constexpr bool exclusive = true;
    static constexpr bool masked = false;
};

/* Where vector j of this thread starts in the tile: a warp owns a run of
 * vectors, so that each of its accesses is one whole 512-byte piece. */
template <class T>
__device__ __forceinline__ int tile_offset(int j)
{
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    return ((warp * kTileVecs<T> + j) * 32 + lane) * kVec<T>;
}

/* The tile that starts at `first`, with 0 from `end` on. */
template <class T, bool Masked>
__device__ __forceinline__ void load_tile(const T *in, const uint8_t *mask,
                                          int64_t first, int64_t end,
                                          bool aligned, tile_items<T> &v)
{
    load_items<T, Masked>(in, mask, first + tile_offset<T>(0),
                          (int)(tile_offset<T>(1) - tile_offset<T>(0)), end,
                          aligned, v);
}

template <class T>
__device__ __forceinline__ void store_tile(T *out, int64_t first, int64_t end,
                                           bool aligned, const tile_items<T> &v)
{
#pragma unroll
    for (int j = 0; j < kTileVecs<T>; ++j)
        store_items(out, first + tile_offset<T>(j), end, aligned, v[j]);
}

/* Replaces the tile by its scan, `carry` having come before, and returns the
 * carry of the next tile. `totals` is shared memory for kTileThreads / 32
 * values; it may be used again after one more barrier. */
template <class T, class Scan>
__device__ __forceinline__ acc_t<T> scan_tile(tile_items<T> &v, acc_t<T> carry,
                                              acc_t<T> *totals)
{
    using Op = op_of<Scan, T>;
    acc_t<T> before[kTileVecs<T>], tile_total;
    const acc_t<T> warp_total = rows_prefix<Op, Scan::reverse>(v, before);
    const acc_t<T> warps_before =
        Op::combine(carry, warps_prefix<Op, Scan::reverse, kTileThreads>(
                               warp_total, totals, &tile_total));
#pragma unroll
    for (int j = 0; j < kTileVecs<T>; ++j)
        items_scan<Scan, Op>(v[j], Op::combine(warps_before, before[j]));
    return Op::combine(carry, tile_total);
}

/* Scans elements [first, end) of a line, `carry` having come before, and
 * returns what comes out. `first` is a multiple of kVec<T>. */
template <class T, class Scan>
__device__ __forceinline__ acc_t<T>
scan_span(const T *in, const uint8_t *mask, T *out, int64_t first, int64_t end,
          bool aligned, acc_t<T> carry)
{
    /* Two sets by turns: one barrier a tile. */
    __shared__ acc_t<T> totals[2][kTileThreads / 32];
    const int64_t tiles = ceil_div(end - first, kTileElems<T>);

    for (int64_t step = 0; step < tiles; ++step) {
        const int64_t tile = Scan::reverse ? tiles - 1 - step : step;
        const int64_t at = first + tile * kTileElems<T>;
        tile_items<T> v;
        load_tile<T, Scan::masked>(in, mask, at, end, aligned, v);
        carry = scan_tile<T, Scan>(v, carry, totals[step % 2]);
        store_tile<T>(out, at, end, aligned, v);
    }
    __syncthreads(); /* totals are read before the next span's are */
    return carry;
}

/* The reduction of elements [first, end) of a line, in every thread. */
template <class T, class Op, bool Masked>
__device__ __forceinline__ acc_t<T>
reduce_span(const T *in, const uint8_t *mask, int64_t first, int64_t end,
            bool aligned)
{
    __shared__ acc_t<T> totals[kTileThreads / 32];
    acc_t<T> mine = Op::identity(), warp_total, total;
    for (int64_t at = first; at < end; at += kTileElems<T>) {
        tile_items<T> v;
        load_tile<T, Masked>(in, mask, at, end, aligned, v);
        acc_t<T> sum = items_reduce<Op>(v[0]);
#pragma unroll
        for (int j = 1; j < kTileVecs<T>; ++j)
            sum = Op::combine(sum, items_reduce<Op>(v[j]));
        mine = Op::combine(mine, sum);
    }
    warp_prefix<Op, false>(mine, &warp_total);
    warps_prefix<Op, false, kTileThreads>(warp_total, totals, &total);
    __syncthreads(); /* totals are read before the next span's are */
    return total;
}

#endif
