/* SPDX-License-Identifier: MIT
 *
 * Idea     A short axis: a block holds all rows of a strip of columns in shared
 *          memory, each brought by bulk copies of whole 16-byte words; a thread
 *          scans whole columns there. Nothing is carried from tile to tile,
 *          and a row's pitch may be any.
 * Against  thread_per_column: the same loop, but every thread's loads are its
 *          own, and narrow; and column_lookback, whose tiles have sixteen rows
 *          or more, most of them idle here. column_vectors has shorter windows
 *          in flight, but shuffles where rows are not whole vectors.
 * Traffic  2N elements: the compulsory minimum (passes = 1).
 * Needs    inner of at least 128, an axis of which 512 columns (or all) fit in
 *          a tile.
 * Source   none.
 * Lesson   An axis that fits in a tile needs no carry; the copy engine accepts
 *          any pitch.
 */
#include "variants/common/access/column_strip.cuh"
#include "variants/common/kernel.cuh"

template <class T>
__device__ __forceinline__ void strip_store_long(const strips &s,
                                                 const struct strip_tile &t,
                                                 T *out, const T *x)
{
    const int group = t.rows < kStripThreads / 32 ? kStripThreads : 32;
    for (int row = threadIdx.x / group; row < t.rows;
         row += kStripThreads / group) {
        const struct span r = strip_row(s, t, row);
        const int words = (int)(r.bulk_end - r.bulk_begin) / kVec<T>;
        const T *begin = x + row * s.pitch + (r.bulk_begin - r.origin);
        const uint4 *from = (const uint4 *)begin;
        uint4 *to = (uint4 *)(out + r.bulk_begin);
#pragma unroll 4
        for (int i = threadIdx.x % group; i < words; i += group)
            write_first(to + i, from[i]);
    }
}

/* As above by bulk copies, which the block's first warp requests. */
template <class T>
__device__ __forceinline__ void strip_store_short(const strips &s,
                                                  const struct strip_tile &t,
                                                  T *out, const T *x)
{
#pragma unroll 1
    for (int row = threadIdx.x; row < t.rows; row += 32) {
        const struct span r = strip_row(s, t, row);
        if (r.bulk_begin < r.bulk_end)
            bulk_store_first(
                out + r.bulk_begin,
                x + row * s.pitch + (r.bulk_begin - r.origin),
                (unsigned)((r.bulk_end - r.bulk_begin) * sizeof(T)),
                evict_first_policy());
    }
    bulk_commit();
}

/* Stores a tile. The threads store long rows in vectors, as bulk copies reach
 * the DRAM less in order. Shorter rows have too few vectors for a warp. */
template <class T>
__device__ __forceinline__ void
strip_store(const strips &s, const struct strip_tile &t, T *out, const T *x)
{
    constexpr int kLongRow = 4096; /* bytes */
    const bool by_copies = HAS_BULK_COPY && t.width * (int)sizeof(T) < kLongRow;
    if (by_copies)
        bulk_fence();
    __syncthreads();
    if (!by_copies)
        strip_store_long(s, t, out, x);
    else if (threadIdx.x < 32)
        strip_store_short(s, t, out, x);
    strip_ends(s, t, [&](int64_t e, int place) { out[e] = x[place]; });
    if (by_copies && threadIdx.x < 32)
        bulk_wait_read();
}

/* Scans a tile in place. */
template <class Scan, int Vec, bool Single, class T>
__device__ __forceinline__ void
strip_scan(const strips &s, const struct strip_tile &t, T *x, const uint8_t *m)
{
    constexpr int kSets = kStripSets<T, Vec>;
    using Op = op_of<Scan, T>;
    using Acc = typename Op::acc;
    strip_visit<kSets, Vec, Single>(s, t, [&](const strip_set(&sets)[kSets]) {
        Acc carry[kSets][Vec];
        set_identity<Op>(carry);
        for (int step = 0; step < s.axis; ++step) {
            const int row = Scan::reverse ? s.axis - 1 - step : step;
            int place[kSets];
            vec<T, Vec> values[kSets];
#pragma unroll
            for (int k = 0; k < kSets; ++k)
                place[k] = strip_place(s, t, sets[k], row);
            strip_read<Op, Scan::masked, Vec>(sets, x, m, place, values);
#pragma unroll
            for (int k = 0; k < kSets; ++k) {
#pragma unroll
                for (int j = 0; j < Vec; ++j) {
                    T &item = values[k].item[j];
                    item = Op::lower(scan_step<Scan>(
                        carry[k][j], Op::combine(carry[k][j], Op::lift(item))));
                }
                if (!sets[k].exists)
                    continue;
                if constexpr (Vec == kVec<T>)
                    write_shared(x + place[k], values[k]);
                else
                    x[place[k]] = values[k].item[0];
            }
        }
    });
}

/* Vec: columns per access, a 16-byte vector or one. */
template <class T, class Scan, int Vec, int Bytes>
static __global__ void __launch_bounds__(kStripThreads, kStripBlocks<Bytes>)
    column_in_shared(const T *__restrict__ in, const uint8_t *__restrict__ mask,
                     T *__restrict__ out, const struct strips s)
{
    TAG(fast);
    extern __shared__ uint4 room[];
    __shared__ uint64_t loaded;
    T *x = (T *)room;
    uint8_t *m = (uint8_t *)(x + s.slabs * s.axis * s.pitch);
    if (threadIdx.x == 0)
        bulk_init(&loaded, 1);
    __syncthreads();
    unsigned parity = 0;

    for (int64_t n = blockIdx.x; n < s.tiles; n += gridDim.x) {
        const struct strip_tile t = strip_tile_of(s, n);
        strip_load<Scan::masked>(s, t, in, mask, x, m, &loaded, &parity);
        if (t.slabs == 1)
            strip_scan<Scan, Vec, true>(s, t, x, m);
        else
            strip_scan<Scan, Vec, false>(s, t, x, m);
        strip_store(s, t, out, x);
        if (n + gridDim.x < s.tiles) {
            bulk_fence();
            __syncthreads(); /* the tile may be overwritten */
        }
    }
}

template <int Bytes>
static int launch(const struct problem *p, void *stream)
{
    return dispatch_scan(p, [&]<class T, class Scan>(tag<T>, Scan) -> int {
        const auto kernel = strips_in_vectors(p)
                                ? column_in_shared<T, Scan, kVec<T>, Bytes>
                                : column_in_shared<T, Scan, 1, Bytes>;
        const struct strips s = strips_of(p, Bytes);
        return bulk_launch(kernel, s.tiles, kStripThreads, Bytes, stream, p->in,
                           p->mask, p->out, s);
    });
}

#define POINT(kib)                                                             \
    {                                                                          \
        .name = "column_in_shared_k" #kib,                                     \
        .idea = "a block holds all rows of a strip of columns",                \
        .runs_on = DEVICE_CUDA, .ops = scans(), .passes = 1,                   \
        .error_growth = ERROR_SERIAL, .deterministic = true,                   \
        .refuses = strips_refuse<(kib) << 10>, .launch = launch<(kib) << 10>,  \
        .monotone = true                                                       \
    }

VARIANTS(scan__column_in_shared) = {
    POINT(72),
    POINT(44),
    {},
};
