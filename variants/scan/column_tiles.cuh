/* SPDX-License-Identifier: MIT
 *
 * Tiles of columns by rows whose carry is a vector: which tile a ticket is, and
 * the sums of a tile's columns among the threads that share them.
 */
#ifndef VARIANTS_SCAN_COLUMN_TILES_CUH
#define VARIANTS_SCAN_COLUMN_TILES_CUH

#include "variants/common/clear_early.cuh"
#include "variants/scan/column_carry.cuh"
#include "variants/common/device.cuh"
#include "variants/common/l2_hints.cuh"

struct grid_of_tiles {
    int64_t chunks, strips, tiles; /* along the axis, along a row, in all */
    int64_t outer, axis, inner;
    int64_t abreast; /* outer indices whose tiles take turns */
    int groups;      /* of threads that look back */
};

/* About as many outer indices as `most`, and as many in every turn. */
inline int64_t abreast_of(const struct grid_of_tiles &t, int64_t most)
{
    if (t.chunks == 1)
        return 1;
    return most < t.outer ? ceil_div(t.outer, ceil_div(t.outer, most))
                          : t.outer;
}

struct tile_place {
    int64_t o, strip, step; /* step: along the axis, in walk order */

    __device__ __forceinline__ tile_place(const struct grid_of_tiles &t,
                                          int64_t number)
    {
        const int64_t o_first =
            tile_divide(number, t.abreast * t.chunks * t.strips) * t.abreast;
        const int64_t abreast =
            t.outer - o_first < t.abreast ? t.outer - o_first : t.abreast;
        const int64_t later = number - o_first * t.chunks * t.strips;
        step = tile_divide(later, abreast * t.strips);
        const int64_t place = later - step * abreast * t.strips;
        const int64_t o_next = tile_divide(place, t.strips);
        strip = place - o_next * t.strips;
        o = o_first + o_next;
    }
};

/* A tile is Threads / Lanes groups of Rows rows, by Lanes accesses of Width
 * elements. */
template <class T, int Threads, int Lanes, int Width, int Rows>
struct tile_shape {
    static constexpr int columns = Lanes * Width;
    static constexpr int rows = Threads / Lanes * Rows;
    static constexpr int sharers = Threads / columns; /* threads a column */
    /* Blocks an SM holds, by the registers that hold the tiles. */
    static constexpr int words = Rows * (Width * (int)sizeof(T) + 3) / 4;
    static constexpr int blocks = Width > 1 && words <= 40 ? 3 : 2;
};

/* Tiles that one thread looks back at in one go: fewer where registers hold a
 * mask, too. */
template <bool Masked>
constexpr int kDepth = Masked ? 2 : 4;

/* How many tiles of a shape take turns, and how many threads a column look
 * back. Halves: of a wave of tiles, that take turns before the next tile of a
 * strip: half a wave, and the first is done by when the second asks, or a whole
 * one, where there are so many outer indices. */
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
    t.abreast = abreast_of(t, ceil_div(wide * halves, 2));
    const int64_t deep = ceil_div(wide, t.abreast);
    t.groups = deep < depth * Tile::sharers ? (int)ceil_div(deep, depth)
                                            : Tile::sharers;
    return t;
}

/* The sums of v over the lanes of a warp that hold the same columns and come
 * before this one; v becomes the sum including this one. */
template <bool Reverse, int Lanes, class Acc>
__device__ __forceinline__ Acc group_prefix(Acc *v)
{
    if constexpr (Lanes >= 32)
        return Acc(0);
    const int group = threadIdx.x % 32 / Lanes;
    const int rank = Reverse ? 32 / Lanes - 1 - group : group;
#pragma unroll
    for (int step = 1; step < 32 / Lanes; step *= 2) {
        const Acc other = Reverse
                              ? __shfl_down_sync(kWholeWarp, *v, step * Lanes)
                              : __shfl_up_sync(kWholeWarp, *v, step * Lanes);
        if (rank >= step)
            *v += other;
    }
    const Acc before = Reverse ? __shfl_down_sync(kWholeWarp, *v, Lanes % 32)
                               : __shfl_up_sync(kWholeWarp, *v, Lanes % 32);
    return rank ? before : Acc(0);
}

/* Neighbouring sums to and from shared memory, 16 bytes at a time. */
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
template <int Width, class Acc>
__device__ __forceinline__ void add_sums(Acc (&sums)[Width], const Acc *from)
{
    if constexpr (Width == 1)
        sums[0] += *from;
    else
#pragma unroll
        for (int k = 0; k < Width; k += kVec<Acc>) {
            vec<Acc> x;
            const uint4 words = *(const uint4 *)(from + k);
            memcpy(&x, &words, sizeof x);
#pragma unroll
            for (int i = 0; i < kVec<Acc>; ++i)
                sums[k + i] += x.item[i];
        }
}

/* A thread's column, that of others too. */
template <class State>
struct column_chain {
    State *mine;    /* the column's state in this tile */
    int64_t stride; /* to that of the next tile */
    int64_t step;
    int column, sharer, groups;
    bool exists, speaks; /* speaks: has a state to publish */
};

/* totals[w][c] holds the sum of part w of column c, and then what comes before
 * that part. Before: put_sums(), no barrier. After: ready to be read. `flag`
 * and `carry` are what the tile before told early; every thread calls it. */
template <class Scan, int Depth, int Parts, int Columns, class Acc, class State>
__device__ __forceinline__ void column_spine(Acc (&totals)[Parts][Columns],
                                             const column_chain<State> &c,
                                             unsigned flag, Acc carry)
{
    const bool known = __syncthreads_and(flag == TILE_PREFIX);
    Acc total = 0;
    if (c.speaks)
#pragma unroll
        for (int w = 0; w < Parts; ++w)
            total += totals[w][c.column];
    if (!known) {
        if (c.speaks && flag != TILE_PREFIX)
            publish(c.mine, TILE_AGGREGATE, total);
        carry = column_carry<Depth>(c.mine, c.step, c.stride, Columns, c.column,
                                    c.sharer, c.exists, c.groups);
    }
    if (c.speaks)
        publish(c.mine, TILE_PREFIX, carry + total);
    if (threadIdx.x < Columns)
#pragma unroll
        for (int turn = 0; turn < Parts; ++turn) {
            const int w = Scan::reverse ? Parts - 1 - turn : turn;
            const Acc sum = totals[w][c.column];
            totals[w][c.column] = carry;
            carry += sum;
        }
    __syncthreads();
}

/* ------------------------------------------------------------------ host */

/* error_tile for tiles of that many rows or more. From a tile's prefix to the
 * next is one addition, and for halves two roundings more: a state lacks the
 * float's last bit, and a last bit is worth up to two. A prefix further back is
 * reached by at most two additions more, but also by fewer prefixes. */
constexpr int64_t column_error_tile(int rows)
{
    return rows / 3;
}

/* The workspace: the ticket and so many columns' states. */
template <class T>
size_t column_bytes(int64_t states)
{
    return kTicketBytes +
           ((size_t)states * sizeof(column_state<T>) + 15) / 16 * 16;
}

/* Clears `bytes` of the workspace, and launches a kernel that waits for that
 * in early_wait(). */
template <class... Params, class... Args>
int launch_columns(void (*kernel)(Params...), int64_t tiles, int threads,
                   const struct problem *p, size_t bytes, cudaStream_t stream,
                   Args... args)
{
    return launch_cleared(p, p->workspace, bytes, kernel, grid_x(tiles),
                          threads, 0, stream, args...);
}

#endif
