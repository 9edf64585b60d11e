/* SPDX-License-Identifier: MIT
 *
 * Tiles of a ragged shape, with equally many rows (elements, where inner is 1),
 * whatever segments they hold. A tile that covers rows [begin, end) has these
 * offsets:
 *   forwards  those in (begin, end], and the first tile those that are 0, too.
 *             The row before an offset is the last of a walk
 *   reverse   those in [begin, end), and the tile of the last row those that
 *             are the total, too. The row at an offset is the last of a walk
 * These intervals are disjoint and cover 0 to the total, so that each offset is
 * one tile's. A reduction's tile writes the result of segment k - 1 for each of
 * its offsets k > 0, so each result is written once: that of an empty segment,
 * too, by the tile that has its offset.
 * The next sum begins after the end of a walk: a tile with an end publishes a
 * prefix at once, past which no tile looks back.
 */
#ifndef VARIANTS_COMMON_LOOK_BACK_RAGGED_TILES_CUH
#define VARIANTS_COMMON_LOOK_BACK_RAGGED_TILES_CUH

#include "variants/common/launch/programmatic_launch.cuh"
#include "variants/common/look_back/tile_state.cuh"

constexpr int kRaggedThreads = 256;

struct ragged_tiling {
    int64_t count, tiles, segments; /* count: all rows */
    const void *offsets;
    int offset_bytes;
    int tile_rows;
    int lead; /* rows of the first tile before the first row */

    __device__ __forceinline__ int64_t offset(int64_t k) const
    {
        return offset_bytes == 4 ? __ldg((const int *)offsets + k)
                                 : __ldg((const long long *)offsets + k);
    }
};

static inline struct ragged_tiling ragged_tiling_of(const struct problem *p,
                                                    int tile_rows, int lead)
{
    struct ragged_tiling t = { .count = p->shape.axis,
                               .segments = p->segments,
                               .offsets = p->offsets,
                               .offset_bytes = p->offset_bytes,
                               .tile_rows = tile_rows,
                               .lead = lead };
    const int64_t tiles = ceil_div(t.count + lead, tile_rows);
    t.tiles = tiles > 0 ? tiles : 1; /* empty segments have results, too */
    return t;
}

/* ----------------------------------------------------- the first offsets */

/* The first offset that is `least` or more, by number: segments + 1 if there is
 * none. A whole warp calls it, and reads 32 places at a time. */
__device__ __forceinline__ int64_t first_offset(const struct ragged_tiling &t,
                                                int64_t least)
{
    int64_t low = 0, high = t.segments + 1; /* it is in [low, high] */
    while (low < high) {
        const int64_t step = (high - low + 31) / 32;
        const int64_t k = low + (threadIdx.x % 32 + 1) * step - 1;
        const bool below = k < high && t.offset(k) < least;
        low += __popc(__ballot_sync(0xffffffffu, below)) * step;
        high = min(high, low + step - 1);
    }
    return low;
}

/* Clears vectors of memory, and writes the number of each tile's first offset,
 * in memory order, and the end of the last one's. */
static __global__ void ragged_starts(const struct ragged_tiling t, bool reverse,
                                     int64_t *starts, uint4 *memory,
                                     int64_t vectors)
{
    early_allow();
    const int64_t threads = (int64_t)gridDim.x * blockDim.x;
    const int64_t thread = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    for (int64_t at = thread; at < vectors; at += threads)
        memory[at] = {};
    for (int64_t n = thread / 32; n <= t.tiles; n += threads / 32) {
        int64_t k = n ? t.segments + 1 : 0;
        if (n > 0 && n < t.tiles)
            k = first_offset(t, n * t.tile_rows - t.lead + !reverse);
        if (threadIdx.x % 32 == 0)
            starts[n] = k;
    }
}

/* ------------------------------------------------------------- in a kernel */

struct ragged_tile {
    int64_t number;            /* in walk order */
    int64_t unit, strip;       /* number among strips, strip of columns */
    int64_t first, begin, end; /* first row; those that exist */
    int64_t from, until;       /* numbers of its offsets */
};

/* The tickets of a block, which takes the next one before its tile is done:
 * after the look-back, so that no block waits for an idle tile. */
struct ragged_tickets {
    unsigned long long *ticket;
    int64_t *taken; /* shared memory */
    unsigned ahead; /* thread 0's next unit; fewer than 2^32 fit in memory */

    /* One thread calls it. */
    __device__ __forceinline__ void take(void)
    {
        ahead = (unsigned)atomicAdd(ticket, 1ull);
    }
    /* The next unit. Every thread of the block calls it, and a barrier follows
     * before the next call. */
    __device__ __forceinline__ int64_t next(void)
    {
        if (threadIdx.x == 0)
            *taken = ahead;
        __syncthreads();
        return *taken;
    }
};

/* The tile of a unit, or of a strip of columns of it. */
template <bool Reverse>
__device__ __forceinline__ struct ragged_tile
tile_of(const struct ragged_tiling &t, int64_t strips, int64_t unit,
        const int64_t *starts)
{
    const int64_t number = divide(unit, strips);
    const int64_t place = Reverse ? t.tiles - 1 - number : number;
    const int64_t first = place * t.tile_rows - t.lead;
    return { number,
             unit,
             unit - number * strips,
             first,
             max(first, (int64_t)0),
             min(first + t.tile_rows, t.count),
             __ldcg((const long long *)starts + place),
             __ldcg((const long long *)starts + place + 1) };
}

/* Calls visit(k, offset k) for the tile's offsets, spread over the block. */
template <class Visit>
__device__ __forceinline__ void each_offset(const struct ragged_tiling &t,
                                            const struct ragged_tile &tile,
                                            Visit visit)
{
    constexpr int kBatch = 4; /* in flight */
    int64_t k = tile.from + threadIdx.x;
    for (; k < tile.until; k += kBatch * kRaggedThreads) {
        int64_t at[kBatch];
#pragma unroll
        for (int i = 0; i < kBatch; ++i)
            if (k + i * kRaggedThreads < tile.until)
                at[i] = t.offset(k + i * kRaggedThreads);
#pragma unroll
        for (int i = 0; i < kBatch; ++i)
            if (k + i * kRaggedThreads < tile.until)
                visit(k + i * kRaggedThreads, at[i]);
    }
}

/* The same with visit(k, row): the row in which a walk ends at offset k, if the
 * tile has it. Empty segments share rows with another's end. */
template <bool Reverse, class Visit>
__device__ __forceinline__ void each_end(const struct ragged_tiling &t,
                                         const struct ragged_tile &tile,
                                         Visit visit)
{
    each_offset(t, tile, [&](int64_t k, int64_t at) {
        const int64_t row = at - tile.first - !Reverse;
        if (row >= 0 && row < t.tile_rows)
            visit(k, (int)row);
    });
}

/* ------------------------------------------------------------------ host */

static inline const char *ragged_column_refuses(const struct problem *p)
{
    if (!shape_is_ragged(p->shape))
        return "serves ragged shapes only";
    return p->shape.inner == 1
               ? "serves inner > 1 only; contiguous ones have ragged_spans"
               : NULL;
}

/* Bytes of the workspace: the ticket, the states of `units` blocks' columns,
 * and each tile's first offset. */
static inline size_t ragged_bytes(const struct problem *p, int64_t tiles,
                                  int64_t units, int columns)
{
    return kTicketBytes + tile_states_bytes(p, units, columns) +
           (size_t)(tiles + 1) * sizeof(int64_t);
}

/* Launches kernel(in, out, tiling, ticket, states, starts) for `units` with
 * states of `columns` columns each: a block for each, or `most` per
 * multiprocessor. */
template <bool Reverse, class... Params, class Tiling>
int launch_ragged(const struct problem *p, void (*kernel)(Params...),
                  const Tiling &tiling, int64_t units, int columns,
                  int shared_bytes, int most, void *stream)
{
    const struct ragged_tiling &t = tiling.rows;
    const size_t cleared = kTicketBytes + tile_states_bytes(p, units, columns);
    char *const states = (char *)p->workspace + kTicketBytes;
    char *const starts = (char *)p->workspace + cleared;
    const int64_t vectors = (int64_t)cleared / 16;
    const int64_t threads = vectors > 32 * t.tiles ? vectors : 32 * t.tiles;
    const int error = launch_kernel(ragged_starts, threads / kRaggedThreads + 1,
                                    kRaggedThreads, 0, stream, t, Reverse,
                                    starts, p->workspace, vectors);
    if (error != cudaSuccess)
        return error;
    const int64_t resident = (int64_t)p->device->sm_count * most;
    return launch_early(p, kernel, units < resident ? units : resident,
                        kRaggedThreads, shared_bytes, stream, p->in, p->out,
                        tiling, p->workspace, states, starts);
}

#endif
