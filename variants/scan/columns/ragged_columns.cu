/* SPDX-License-Identifier: MIT
 *
 * Idea     A block per tile of some columns by many rows, whatever segments
 *          these hold. The rows in which segments end are found once for all
 *          columns; each thread scans some rows of a column in registers, and
 *          begins anew after such a row. Each column looks back for its carry.
 * Against  column_lookback, whose lines have one length, so that no tile has
 *          rows of several.
 * Traffic  2N elements, the offsets once per strip of columns, and a word per
 *          column and tile (passes = 1).
 * Needs    a ragged shape, inner > 1. Lanes idle or share lines of memory where
 *          inner is small.
 * Source   as in scan/spans/ragged_spans.cu.
 * Lesson   Offsets of rows cost nothing beside the rows.
 */
#include "variants/common/look_back/column_carry.cuh"
#include "variants/common/look_back/ragged_tiles.cuh"

constexpr unsigned kNeeds = NEEDS_RAGGED;
constexpr int kBlocks = 3; /* per multiprocessor */

/* Rows per thread, at most the bits of `ended`. */
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
    const struct ragged_tile &tile;
    int64_t column;
    int group, chunk; /* the column in its strip; the thread's rows */
    int rows;         /* in the tile; 0 if the column does not exist */
    unsigned ended;   /* bit r: a walk ends with row r */
    T x[kRows];       /* in walk order */

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
    /* load: every thread of the block. */
    __device__ __forceinline__ void load(const T *in)
    {
        __shared__ unsigned
            bits[kRaggedThreads / 2]; /* `ended` of the chunks */
        group = threadIdx.x % t.width;
        chunk = threadIdx.x / t.width;
        column = tile.strip * t.width + group;
        rows = chunk < t.chunks && column < t.inner
                   ? (int)(tile.end - tile.first)
                   : 0;
        each_row(
            0, [&](int r, int64_t at) { x[r] = has(r) ? in[at] : Op::pad(); });
        if ((int)threadIdx.x < t.chunks)
            bits[threadIdx.x] = 0;
        __syncthreads();
        each_end<Reverse>(t.rows, tile, [&](int64_t, int end) {
            const int r = end % kRows;
            atomicOr(bits + end / kRows, 1u << (Reverse ? kRows - 1 - r : r));
        });
        __syncthreads();
        ended = rows ? bits[chunk] : 0;
    }

    /* Walks the thread's rows, from that sum on: calls visit(r, index, sum),
     * and returns the sum since the last end. */
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
                return rows ? ragged_running<Acc>{ sums[buffer][from],
                                                   endeds[buffer][from] }
                            : *mine;
            }
            const int from = (int)threadIdx.x + step * back;
            if (rows && rank >= step && !mine->ended) {
                mine->sum = Op::combine(sums[buffer][from], mine->sum);
                mine->ended = endeds[buffer][from];
            }
        }
    }

    /* upsweep, and spine in the block and over the tiles: the sum before this
     * thread's first row, in walk order. Every thread calls it. */
    __device__ __forceinline__ Acc carry(tile_state<Acc> *states) const
    {
        ragged_running<Acc> mine = { walk(Op::identity(), [](auto...) {}),
                                     ended != 0 };
        const auto before = chunks_before(&mine);
        const int stride = tile_stride<Acc>(t.width);
        tile_state<Acc> *const state = states + tile.unit * stride + group;
        const bool publishes = rows && tile.number + 1 < t.rows.tiles &&
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
            .exists = rows != 0,
        };
        const Acc sum = column_carry<Op, 2>(chain);
        if (publishes && !mine.ended)
            publish(state, TILE_PREFIX, Op::combine(sum, mine.sum));
        return before.ended ? before.sum : Op::combine(sum, before.sum);
    }
};

template <class T, class Scan>
static __global__ void __launch_bounds__(kRaggedThreads,
                                         kResident<kRaggedThreads, kBlocks>)
    ragged_columns(const T *__restrict__ in, T *__restrict__ out,
                   const struct ragged_strips t, unsigned long long *ticket,
                   tile_state<acc_of<Scan, T>> *states, const int64_t *starts)
{
    TAG(fast);
    using Op = op_of<Scan, T>;
    __shared__ int64_t taken;
    ragged_tickets tickets = { ticket, &taken };
    if (threadIdx.x == 0) {
        early_wait();
        tickets.take();
    }
    for (;;) {
        const int64_t unit = tickets.next();
        if (unit >= t.units)
            return;
        const struct ragged_tile tile =
            tile_of<Scan::reverse>(t.rows, t.strips, unit, starts);
        ragged_column<Op, Scan::reverse> column = { t, tile };
        column.load(in);
        const auto carry = column.carry(states);
        if (threadIdx.x == 0)
            tickets.take();
        column.walk(carry, [&](int r, int64_t at, auto sum) {
            if (column.has(r))
                out[at] = Op::lower(sum);
        });
    }
}

/* ------------------------------------------------------------------ host */

/* Narrow strips: with fewer columns, a tile has more rows of each, and more
 * threads look back for it. */
constexpr int64_t kMostWidth = 32;

static struct ragged_strips strips_of(const struct problem *p)
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

static size_t workspace_bytes(const struct problem *p)
{
    const struct ragged_strips t = strips_of(p);
    return ragged_bytes(p, t.rows.tiles, t.units, t.width);
}

static int launch(const struct problem *p, void *stream)
{
    const struct ragged_strips t = strips_of(p);
    return dispatch_scan<kNeeds>(
        p, [&]<class T, class Scan>(tag<T>, Scan) -> int {
            if constexpr (!Scan::exclusive && !Scan::masked)
                return launch_ragged<Scan::reverse>(p, ragged_columns<T, Scan>,
                                                    t, t.units, t.width, 0,
                                                    kBlocks, stream);
            return cudaErrorNotSupported;
        });
}

/* error_tile: rows of a tile of 32 columns of doubles. */
VARIANTS(scan__ragged_columns) = {
    { .name = "ragged_columns",
      .idea = "a block per tile of columns by rows, whatever segments they "
              "hold",
      ON_CUDA(scans<kNeeds>(FORM(KIND_SCAN, 0) | FORM(KIND_SCAN, OP_REVERSE)),
              1),
      ERROR_OF_TILES(kRaggedThreads / kMostWidth * kRaggedRows<double>),
      .refuses = ragged_column_refuses,
      .workspace_bytes = workspace_bytes,
      .launch = launch,
      .ragged = true },
    {},
};
