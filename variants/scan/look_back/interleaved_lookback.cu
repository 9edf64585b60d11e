/* SPDX-License-Identifier: MIT
 *
 * Idea     Where a row is part of a 16-byte vector, lines are interleaved in
 *          contiguous memory. This is a scan along memory whose accumulator is
 *          a small vector, one component per column; an element's place in
 *          its 16 bytes determines its column. In a tile in shared memory each
 *          lane holds an odd number of consecutive vectors, which avoids bank
 *          conflicts. One warp per column scans the warps' totals and looks
 *          back, so that columns wait concurrently (eight columns in four
 *          warps: two each). The first tiles' loads start one after another
 *          (staggered_start.cuh).
 * Against  decoupled_lookback_blocked, the same walk with a scalar; and
 *          row_tile_lookback, whose threads walk a column element by element.
 * Traffic  2N elements and a word per column and tile (passes = 1).
 * Needs    inner of 2, 4 or 8 that divides a 16-byte vector; lines that are not
 *          both short and many; an accumulator of at most 8 bytes.
 * Source   none; the look-back is decoupled_lookback's.
 * Lesson   Lines that share a vector can be one line of small vectors; half
 *          precision gains most.
 */
#include "variants/scan/look_back/single_pass.cuh"

constexpr unsigned kNeeds = NEEDS_SMALL_ACC | no_sums_of(DTYPE_F64);

/* Reduces a vector by columns. */
template <class Op, bool Reverse, class Acc, int Columns, class T, int Width>
__device__ __forceinline__ void column_sums(const vec<T, Width> &x,
                                            Acc (&sums)[Columns])
{
#pragma unroll
    for (int k = 0; k < Width; ++k) {
        const Acc value = Op::lift(x.item[k]);
        sums[k % Columns] =
            k < Columns
                ? value
                : combine_in_memory<Op, Reverse>(sums[k % Columns], value);
    }
}

/* Replaces a vector's elements by their scans by columns, with the carry-ins
 * `before`. */
template <class Scan, class Op, class Acc, int Columns, class T, int Width>
__device__ __forceinline__ void column_scans(vec<T, Width> &x,
                                             const Acc (&before)[Columns])
{
    Acc carry[Columns];
#pragma unroll
    for (int step = 0; step < Width; ++step) {
        const int k = Scan::reverse ? Width - 1 - step : step;
        const Acc first =
            step < Columns ? before[k % Columns] : carry[k % Columns];
        carry[k % Columns] = Op::combine(first, Op::lift(x.item[k]));
        x.item[k] = Op::lower(Scan::exclusive ? first : carry[k % Columns]);
    }
}

/* A lane holds Vecs consecutive vectors, and an accumulator per column. */
template <class T, class Scan, int Columns, int Threads, int Vecs>
struct interleaved {
    using Op = op_of<Scan, T>;
    using Acc = typename Op::acc;
    static constexpr int kWarps = Threads / 32;
    static constexpr int kPart = Vecs * 32 * kVec<T>; /* elements of a warp */
    static constexpr int kTile = kWarps * kPart;
    static constexpr int kMine =
        (Columns + kWarps - 1) / kWarps; /* columns of a warp */
    static_assert(Columns <= kStateStride<Acc>);

    struct shared {
        Acc totals[Columns][kWarps], carries[kWarps][Columns];
    };
    shared &sums;
    const tile_buffer<T> &tile;
    const struct tile_place &p;
    const int64_t from;  /* the first element of this warp's part */
    const bool busy;     /* false where the line ends before the warp's part */
    Acc before[Columns]; /* carries into this lane, at first in its warp */

    __device__ __forceinline__ interleaved(shared &sums,
                                           const tile_buffer<T> &tile,
                                           const struct tile_place &p)
        : sums(sums), tile(tile), p(p),
          from(p.first + (int)(threadIdx.x / 32) * kPart),
          busy(from < p.part.end)
    {
    }

    __device__ __forceinline__ int place(int k) const
    {
        return ((int)threadIdx.x * Vecs + (Scan::reverse ? Vecs - 1 - k : k)) *
               kVec<T>;
    }
    __device__ __forceinline__ void upsweep(void)
    {
        set_identity<Op>(before);
        if (busy) {
#pragma unroll
            for (int k = 0; k < Vecs; ++k) {
                Acc some[Columns];
                column_sums<Op, Scan::reverse>(
                    read_tile<Op, Scan::masked>(tile, place(k)), some);
#pragma unroll
                for (int c = 0; c < Columns; ++c)
                    before[c] = Op::combine(before[c], some[c]);
            }
        }
#pragma unroll
        for (int c = 0; c < Columns; ++c) {
            Acc total;
            before[c] = warp_prefix<Op, Scan::reverse>(before[c], &total);
            if (threadIdx.x % 32 == 0)
                sums.totals[c][threadIdx.x / 32] = total;
        }
        __syncthreads();
    }

    /* A warp takes a column or two, in the block and then across tiles. It
     * publishes all aggregates before it waits for a carry. */
    template <class Spine>
    __device__ __forceinline__ void spine(const struct line_tiling &t,
                                          tile_state<Acc> *states)
    {
        const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
        const int64_t step = p.step;
        tile_state<Acc> *state = states + p.number * kStateStride<Acc>;
        /* A line's last tile publishes nothing, so a line of one tile needs no
         * state. */
        const bool publishes = lane == 0 && step + 1 < t.line_tiles;
        Acc earlier[kMine], aggregate[kMine];
#pragma unroll
        for (int mine = 0; mine < kMine; ++mine) {
            const int c = warp + mine * kWarps;
            if (c >= Columns)
                continue;
            earlier[mine] = warp_prefix<Op, Scan::reverse>(
                lane < kWarps ? sums.totals[c][lane] : Op::identity(),
                &aggregate[mine]);
            if (publishes)
                Spine::publish_aggregate(state + c, step, aggregate[mine]);
        }
#pragma unroll
        for (int mine = 0; mine < kMine; ++mine) {
            const int c = warp + mine * kWarps;
            if (c >= Columns)
                continue;
            const Acc carry = step ? Spine::template carry<Op>(state + c, step)
                                   : Op::identity();
            if (publishes && step)
                Spine::publish_prefix(state + c, step,
                                      Op::combine(carry, aggregate[mine]));
            if (lane < kWarps)
                sums.carries[lane][c] = Op::combine(carry, earlier[mine]);
        }
        __syncthreads();
    }

    __device__ __forceinline__ void downsweep(T *__restrict__ out)
    {
        if (busy) {
#pragma unroll
            for (int c = 0; c < Columns; ++c)
                before[c] =
                    Op::combine(sums.carries[threadIdx.x / 32][c], before[c]);
#pragma unroll
            for (int k = 0; k < Vecs; ++k) {
                vec<T> x = read_tile<Op, Scan::masked>(tile, place(k));
                Acc some[Columns];
                column_sums<Op, Scan::reverse>(x, some);
                column_scans<Scan, Op>(x, before);
                write_shared(tile.x + place(k), x);
#pragma unroll
                for (int c = 0; c < Columns; ++c)
                    before[c] = Op::combine(before[c], some[c]);
            }
        }
        store_part<Vecs>(p, from, out, tile.x);
    }
};

template <int Columns>
struct columns {
    template <class T, class Scan, int Threads, int Vecs>
    using tile = interleaved<T, Scan, Columns, Threads, Vecs>;
};

/* More columns than a vector has elements are refused, and not compiled. */
template <int Columns>
struct by_columns {
    template <class T>
    using of =
        design<decoupled,
               columns<(Columns < kVec<T> ? Columns : kVec<T>)>::template tile,
               kStaggered>;
};

/* The problem as one of contiguous lines that hold all columns each. */
static struct problem joined(const struct problem *p)
{
    struct problem q = *p;
    q.shape.axis *= q.shape.inner;
    q.shape.inner = 1;
    return q;
}

template <int Threads, int Items>
static size_t workspace_bytes(const struct problem *p)
{
    const struct problem q = joined(p);
    return single_pass_workspace<Threads, Items>(&q);
}

template <int Threads, int Items>
static int launch(const struct problem *p, void *stream)
{
    const struct problem q = joined(p);
    if (p->shape.inner == 2)
        return single_pass_launch<by_columns<2>, Threads, Items, kNeeds>(
            &q, stream);
    if (p->shape.inner == 4)
        return single_pass_launch<by_columns<4>, Threads, Items, kNeeds>(
            &q, stream);
    return single_pass_launch<by_columns<8>, Threads, Items, kNeeds>(&q,
                                                                     stream);
}

template <int Threads, int Items>
static const char *refuses(const struct problem *p)
{
    const int64_t inner = p->shape.inner;
    if (inner == 1 || 16 / (int64_t)dtype_bytes(p->dtype) % inner != 0)
        return "serves inner = 2, 4 or 8 that divides a 16-byte vector; "
               "row_tile_lookback serves others";
    const struct problem q = joined(p);
    return single_pass_refuses<Threads, Items>(&q);
}

/* `tiles` tiles with their masks about fill an SM; k: KB of each. error_tile:
 * halves with their mask have the fewest rows per tile, one per thread and
 * vector. */
#define POINT(threads, tiles, vecs, suffix)                                    \
    {                                                                          \
        .name = "interleaved_lookback_b" #threads suffix,                      \
        .idea = "a block per tile of interleaved lines; each line looks back", \
        ON_CUDA(scans<kNeeds>(), 1), ERROR_OF_TILES(threads * vecs),           \
        .refuses = refuses<threads, fitting_odd(tiles)>,                       \
        .workspace_bytes = workspace_bytes<threads, fitting_odd(tiles)>,       \
        .launch = launch<threads, fitting_odd(tiles)>                          \
    }

VARIANTS(scan__interleaved_lookback) = {
    POINT(256, 3, 11, "_k72"),
#if OLDEST_ARCH < 800
    POINT(128, 12, 5, "_k18"),
#endif
    {},
};
