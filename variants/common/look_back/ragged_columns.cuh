/* SPDX-License-Identifier: MIT
 *
 * The walks of a ragged shape's tile, where inner > 1: a thread holds
 * consecutive rows of one column in registers, and all columns of a row end
 * their walks together. Rows that do not exist are pads.
 */
#ifndef VARIANTS_COMMON_LOOK_BACK_RAGGED_COLUMNS_CUH
#define VARIANTS_COMMON_LOOK_BACK_RAGGED_COLUMNS_CUH

#include "variants/common/kernel.cuh"
#include "variants/common/look_back/column_carry.cuh"
#include "variants/common/look_back/ragged_tiles.cuh"

constexpr int kRaggedColumnBlocks = 3; /* per multiprocessor */

/* Rows per thread; the bits of `ended` are as many at most. */
template <class T>
constexpr int kRaggedRows = sizeof(T) == 8 ? 12 : 28;

/* A ragged shape's rows in tiles, and their columns in strips. */
struct ragged_strips {
    struct ragged_tiling rows;
    int64_t inner, strips, units;
    int width, chunks; /* threads along a row, threads along the rows */
};

/* The sum at some row since the last end of a walk, or since the tile's first
 * row. */
template <class Acc>
struct ragged_running {
    Acc sum;
    bool ended;
};

template <class Op, bool Reverse>
struct ragged_column {
    using T = typename Op::element;
    using Acc = typename Op::acc;
    static constexpr int kRows = kRaggedRows<T>;

    const struct ragged_strips &t;
    int64_t *ends; /* numbers of the offsets at which walks end, by row */
    const struct ragged_tile &tile;
    int64_t column;
    int group, chunk; /* the column in its strip; the thread's rows */
    bool exists;
    int rows;       /* of the tile that exist; 0 if the column does not */
    unsigned ended; /* bit r: a walk ends with row r */
    T x[kRows];     /* in walk order */

    __device__ __forceinline__ int row(int r) const
    {
        return chunk * kRows + (Reverse ? kRows - 1 - r : r);
    }
    __device__ __forceinline__ bool has(int r) const
    {
        return row(r) < rows;
    }
    /* Calls visit(r, index) for each row in walk order. `zero` is 0, or
     * hidden_zero() for indices that are not kept from the last call. */
    template <class Visit>
    __device__ __forceinline__ void each_row(unsigned zero, Visit visit) const
    {
        const int64_t step = Reverse ? -t.inner : t.inner;
        int64_t at = (tile.first + row(0)) * t.inner + column + zero;
#pragma unroll
        for (int r = 0; r < kRows; ++r, at += step)
            visit(r, at);
    }
    /* Rows of the segment that ends at offset k. */
    __device__ __forceinline__ int64_t length(int64_t k) const
    {
        return t.rows.offset(k) - t.rows.offset(k - 1);
    }

    /* load: every thread of the block. */
    __device__ __forceinline__ void load(const T *in)
    {
        __shared__ unsigned
            bits[kRaggedThreads / 2]; /* `ended` of the chunks */
        group = threadIdx.x % t.width;
        chunk = threadIdx.x / t.width;
        column = tile.strip * t.width + group;
        exists = chunk < t.chunks && column < t.inner;
        rows = exists ? (int)(tile.end - tile.first) : 0;
        each_row(
            0, [&](int r, int64_t at) { x[r] = has(r) ? in[at] : Op::pad(); });
        if ((int)threadIdx.x < t.chunks)
            bits[threadIdx.x] = 0;
        __syncthreads();
        each_end<Reverse>(t.rows, tile, [&](int64_t k, int end) {
            const int r = end % kRows;
            atomicOr(bits + end / kRows, 1u << (Reverse ? kRows - 1 - r : r));
            if (k == 0 || length(k) > 0)
                ends[end] = k;
        });
        __syncthreads();
        ended = exists ? bits[chunk] : 0;
    }

    /* The walk over the thread's rows, from that sum on: calls visit(r, index,
     * sum), and returns the sum since the last end. */
    template <class Visit>
    __device__ __forceinline__ Acc walk(Acc sum, Visit visit) const
    {
        each_row(hidden_zero(), [&](int r, int64_t at) {
            sum = Op::combine(sum, Op::lift(x[r]));
            visit(r, at, sum);
            sum = ended >> r & 1 ? Op::identity() : sum;
        });
        return sum;
    }

    /* The sum over the chunks before a thread's own; *mine, its own chunk's,
     * becomes the inclusive one. */
    __device__ __forceinline__ ragged_running<Acc>
    chunks_before(ragged_running<Acc> *mine) const
    {
        __shared__ Acc sums[2][kRaggedThreads];
        __shared__ bool endeds[2][kRaggedThreads];
        const int rank = Reverse ? t.chunks - 1 - chunk : chunk;
        const int back = Reverse ? t.width : -t.width;
        for (int step = 1, buffer = 0;; step *= 2, buffer ^= 1) {
            sums[buffer][threadIdx.x] = mine->sum;
            endeds[buffer][threadIdx.x] = mine->ended;
            __syncthreads();
            if (step >= t.chunks) {
                const int from = (int)threadIdx.x + back;
                if (rank <= 0)
                    return { Op::identity(), false };
                return exists ? ragged_running<Acc>{ sums[buffer][from],
                                                     endeds[buffer][from] }
                              : *mine;
            }
            const int from = (int)threadIdx.x + step * back;
            if (exists && rank >= step && !mine->ended) {
                mine->sum = Op::combine(sums[buffer][from], mine->sum);
                mine->ended = endeds[buffer][from];
            }
        }
    }

    /* upsweep, and spine in the block and over the tiles: the sum before this
     * thread's first row, in walk order. Every thread of the block. */
    __device__ __forceinline__ Acc carry(tile_state<Acc> *states) const
    {
        ragged_running<Acc> mine = { walk(Op::identity(), [](auto...) {}),
                                     ended != 0 };
        const auto before = chunks_before(&mine);
        const int stride = tile_stride<Acc>(t.width);
        tile_state<Acc> *const state = states + tile.unit * stride + group;
        const bool publishes = exists && tile.number + 1 < t.rows.tiles &&
                               chunk == (Reverse ? 0 : t.chunks - 1);
        if (publishes)
            publish(state, mine.ended ? TILE_PREFIX : TILE_AGGREGATE, mine.sum);
        const column_chain<tile_state<Acc>> chain = {
            .mine = state,
            .step = tile.number,
            .stride = t.strips * stride,
            .groups = t.width,
            .group = group,
            .sharer = chunk,
            .sharers = t.chunks < 16 ? t.chunks : 16,
            .exists = exists,
        };
        const Acc sum = column_carry<Op, 2>(chain);
        if (publishes && !mine.ended)
            publish(state, TILE_PREFIX, Op::combine(sum, mine.sum));
        return before.ended ? before.sum : Op::combine(sum, before.sum);
    }
};

/* ------------------------------------------------------------------ host */

/* Narrow strips: the fewer columns, the more rows of each are a tile's, and the
 * more threads look back for it. */
constexpr int64_t kMostWidth = 32;

static struct ragged_strips ragged_strips_of(const struct problem *p)
{
    const int rows =
        dtype_bytes(p->dtype) == 8 ? kRaggedRows<double> : kRaggedRows<float>;
    struct ragged_strips t = { .inner = p->shape.inner };
    t.strips = ceil_div(t.inner, kMostWidth);
    t.width = (int)ceil_div(t.inner, t.strips);
    t.chunks = kRaggedThreads / t.width;
    t.rows = ragged_tiling_of(p, t.chunks * rows, 0);
    t.units = t.rows.tiles * t.strips;
    return t;
}

static size_t ragged_column_bytes(const struct problem *p)
{
    const struct ragged_strips t = ragged_strips_of(p);
    return ragged_bytes(p, t.rows.tiles, t.units, t.width);
}

template <bool Reverse, class... Params>
int launch_ragged_columns(const struct problem *p, void (*kernel)(Params...),
                          void *stream)
{
    const struct ragged_strips t = ragged_strips_of(p);
    return launch_ragged<Reverse>(p, kernel, t, t.units, t.width,
                                  t.rows.tile_rows * (int)sizeof(int64_t),
                                  kRaggedColumnBlocks, stream);
}

static const char *ragged_column_refuses(const struct problem *p)
{
    if (!shape_is_ragged(p->shape))
        return "serves ragged shapes only";
    return p->shape.inner == 1
               ? "serves inner > 1 only; contiguous ones have ragged_spans"
               : NULL;
}

#endif
