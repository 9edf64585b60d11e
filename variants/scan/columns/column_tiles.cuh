/* SPDX-License-Identifier: MIT
 *
 * Tiles of columns by rows whose carry is a vector: the tile of a ticket, and
 * the reductions of a tile's columns among the threads that share them.
 */
#ifndef VARIANTS_SCAN_COLUMNS_COLUMN_TILES_CUH
#define VARIANTS_SCAN_COLUMNS_COLUMN_TILES_CUH

#include "variants/common/access/divisor.cuh"
#include "variants/common/launch/clear_early.cuh"
#include "variants/common/look_back/column_carry.cuh"

struct grid_of_tiles {
    int64_t chunks, strips, tiles; /* along the axis, along a row, in all */
    int64_t outer, axis, inner;
    int64_t abreast; /* outer indices whose tiles are interleaved */
    int groups;      /* thread groups that look back */
    /* Tiles of `abreast` outer indices; those of the same step, which in the
     * last group are fewer; tiles along a row. */
    struct divisor<uint64_t> by_group, by_step, by_last_step, by_row;
};

/* Interleaves the tiles of about `most` outer indices, the same number in each
 * group. */
inline void interleave(struct grid_of_tiles *t, int64_t most)
{
    t->abreast = t->chunks == 1 || t->outer == 0 ? 1
                 : most < t->outer
                     ? ceil_div(t->outer, ceil_div(t->outer, most))
                     : t->outer;
    const int64_t last = (t->outer - 1) % t->abreast + 1;
    t->by_group = divisor_of<uint64_t>(t->abreast * t->chunks * t->strips);
    t->by_step = divisor_of<uint64_t>(t->abreast * t->strips);
    t->by_last_step = divisor_of<uint64_t>(last * t->strips);
    t->by_row = divisor_of<uint64_t>(t->strips);
}

/* The tile of a ticket. */
struct column_place {
    int64_t o, strip, step; /* step: along the axis, in walk order */

    column_place() = default;
    __device__ __forceinline__ column_place(const struct grid_of_tiles &t,
                                            int64_t number)
    {
        uint64_t later, place, column;
        const int64_t o_first = t.by_group.quotient(number, &later) * t.abreast;
        const bool last = t.outer - o_first < t.abreast;
        step = (last ? t.by_last_step : t.by_step).quotient(later, &place);
        o = o_first + t.by_row.quotient(place, &column);
        strip = column;
    }
};

/* A tile is Threads / Lanes groups of Rows rows, by Lanes accesses of Width
 * elements. */
template <class T, int Threads, int Lanes, int Width, int Rows>
struct tile_shape {
    static constexpr int width = Width, columns = Lanes * Width;
    static constexpr int rows = Threads / Lanes * Rows;
    static constexpr int sharers = Threads / columns; /* per column */
    /* Blocks per SM, by the registers that hold the tiles; two before 8.0 where
     * results are wider than elements. */
    static constexpr int words = Rows * ((Width * (int)sizeof(T) + 3) / 4);
    static constexpr int most = HAS_ASYNC_COPY || Width == kVec<T> ? 40 : 0;
    static constexpr int blocks = Width > 1 && words <= most ? 3 : 2;
};

/* Tiles that a thread reads at a time when it looks back: fewer where registers
 * hold a mask, too. */
template <bool Masked>
constexpr int kDepth = Masked ? 2 : 4;

/* Sets the number of interleaved outer indices, and of threads per column that
 * look back. `halves`: half-waves of tiles, interleaved across outer indices,
 * between two tiles of a strip: the longer, the more likely the first is done
 * when the second looks back. */
template <class Tile>
struct grid_of_tiles tiles_in(const struct problem *p, int64_t strips,
                              int halves)
{
    const int depth = op_has_mask(p->op) ? kDepth<true> : kDepth<false>;
    struct grid_of_tiles t = { .outer = p->shape.outer,
                               .axis = p->shape.axis,
                               .inner = p->shape.inner };
    t.chunks = ceil_div(t.axis, Tile::rows);
    t.strips = strips;
    t.tiles = t.outer * t.chunks * t.strips;
    const int64_t wide =
        p->device ? ceil_div(Tile::blocks * p->device->sm_count, t.strips) : 1;
    interleave(&t, ceil_div(wide * halves, 2));
    const int64_t deep = ceil_div(wide, t.abreast);
    t.groups = deep < depth * Tile::sharers ? (int)ceil_div(deep, depth)
                                            : Tile::sharers;
    return t;
}

/* The exclusive prefix of *v over the lanes of a warp that hold the same
 * columns; *v becomes the inclusive prefix. */
template <class Op, bool Reverse, int Lanes>
__device__ __forceinline__ typename Op::acc group_prefix(typename Op::acc *v)
{
    using Acc = typename Op::acc;
    if constexpr (Lanes >= 32)
        return Op::identity();
    const int group = threadIdx.x % 32 / Lanes;
    const int rank = Reverse ? 32 / Lanes - 1 - group : group;
#pragma unroll
    for (int step = 1; step < 32 / Lanes; step *= 2) {
        const Acc earlier = shuffle_earlier<Reverse>(*v, step * Lanes);
        if (rank >= step)
            *v = Op::combine(earlier, *v);
    }
    const Acc before = shuffle_earlier<Reverse>(*v, Lanes % 32);
    return rank ? before : Op::identity();
}

/* The reductions of neighbouring columns to and from shared memory, 16 bytes at
 * a time. */
template <int Width, class Acc>
__device__ __forceinline__ void put_sums(Acc *to, const Acc (&sums)[Width])
{
    if constexpr (Width == 1)
        *to = sums[0];
    else
#pragma unroll
        for (int k = 0; k < Width; k += kVec<Acc>) {
            uint4 words;
            memcpy(&words, &sums[k], sizeof words);
            *(uint4 *)(to + k) = words;
        }
}
template <class Op, int Width>
__device__ __forceinline__ void add_sums(typename Op::acc (&sums)[Width],
                                         const typename Op::acc *from)
{
    using Acc = typename Op::acc;
    if constexpr (Width == 1)
        sums[0] = Op::combine(*from, sums[0]);
    else
#pragma unroll
        for (int k = 0; k < Width; k += kVec<Acc>) {
            const auto x = read_vec<vec<Acc>>(from + k);
#pragma unroll
            for (int i = 0; i < kVec<Acc>; ++i)
                sums[k + i] = Op::combine(x.item[i], sums[k + i]);
        }
}

/* upsweep of a row, rows in memory order: combines its elements with the
 * columns' reductions. */
template <class Op, bool Reverse, class T, int Width>
__device__ __forceinline__ void add_row(const words_t<vec<T, Width>> &row,
                                        typename Op::acc (&sums)[Width])
{
    const auto x = __builtin_bit_cast(vec<T, Width>, row);
#pragma unroll
    for (int k = 0; k < Width; ++k)
        sums[k] = combine_in_memory<Op, Reverse>(sums[k], Op::lift(x.item[k]));
}

/* Likewise of all rows at once, by an operator that has absorb(). */
template <class Op, class T, int Rows, int Width>
__device__ __forceinline__ void
absorb_rows(const words_t<vec<T, Width>> (&rows)[Rows],
            typename Op::acc (&sums)[Width])
{
    add_columns<Op, Rows>(
        sums,
        [&](int u, int k) {
            return __builtin_bit_cast(vec<T, Width>, rows[u]).item[k];
        },
        [](int u, int) { return (int64_t)u; });
}

/* Replaces totals[w][c], the reduction of part w of column c, by the carry into
 * that part. put_sums() precedes it without a barrier; on return all threads
 * may read the carries. `flag` and `carry` come from an early read of the
 * previous tile's state. Every thread calls it. */
template <class Scan, class Op, int Depth, int Parts, int Columns, class State>
__device__ __forceinline__ void
column_spine(typename Op::acc (&totals)[Parts][Columns],
             const column_chain<State> &c, bool publishes, unsigned flag,
             typename Op::acc carry)
{
    using Acc = typename Op::acc;
    const bool known = __syncthreads_and(flag == TILE_PREFIX);
    Acc aggregate = Op::identity();
    if (publishes)
#pragma unroll
        for (int w = 0; w < Parts; ++w)
            aggregate = combine_in_memory<Op, Scan::reverse>(
                aggregate, totals[w][c.group]);
    if (!known) {
        if (publishes && flag != TILE_PREFIX)
            publish(c.mine, TILE_AGGREGATE, aggregate);
        carry = column_carry<Op, Depth>(c);
    }
    if (publishes)
        publish(c.mine, TILE_PREFIX, Op::combine(carry, aggregate));
    if (threadIdx.x < Columns)
#pragma unroll
        for (int step = 0; step < Parts; ++step) {
            const int w = Scan::reverse ? Parts - 1 - step : step;
            const Acc sum = totals[w][c.group];
            totals[w][c.group] = carry;
            carry = Op::combine(carry, sum);
        }
    __syncthreads();
}

/* ------------------------------------------------------------------ host */

/* error_tile for tiles of that many rows or more. From a tile's prefix to the
 * next is one addition, and for halves two more roundings: a state lacks the
 * float's last bit, which is worth up to two. A prefix further back takes at
 * most two more additions, but also fewer prefixes. */
constexpr int64_t column_error_tile(int rows)
{
    return rows / 3;
}

/* The workspace: the ticket and the columns' states. */
template <class Op>
size_t column_bytes(int64_t states)
{
    return kTicketBytes +
           ((size_t)states * sizeof(column_state<Op>) + 15) / 16 * 16;
}

#endif
