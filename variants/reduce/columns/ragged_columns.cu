/* SPDX-License-Identifier: MIT
 *
 * Idea     A group of threads walks consecutive rows, a thread per column, the
 *          next rows in flight, and writes its sum where a segment ends. Sums
 *          before a group's first end and after its last are kept: the block
 *          adds these in the order of its groups, and a segment of several
 *          blocks is added by the one with its end.
 * Against  column_vectors, in which a thread walks a whole column: one segment
 *          of all rows would occupy few threads. The scan of this name, in
 *          which each tile waits for the one before.
 * Traffic  N elements, the offsets, and a word per column and block
 *          (passes = 1).
 * Needs    a ragged shape, inner > 1.
 * Source   as in scan/spans/ragged_spans.cu.
 * Lesson   Shares of equal memory need no segment owners: each end assigns one.
 */
#include "variants/common/look_back/column_carry.cuh"
#include "variants/common/look_back/ragged_tiles.cuh"

constexpr unsigned kNeeds = NEEDS_RAGGED;

/* Blocks per multiprocessor, and rows in flight per thread: the most that spill
 * no registers. */
constexpr int blocks_of(size_t bytes)
{
    return bytes == 8 ? 4 : 5;
}
template <class T>
constexpr int kBatch = sizeof(T) == 8 ? 12 : 14;

/* A group's rows are a tile; `groups` of them, and `width` columns, a unit. */
struct ragged_walks {
    struct ragged_tiling rows;
    int64_t inner, strips, units;
    int width, groups;
};

template <class Op>
struct column_walk {
    using T = typename Op::element;
    using Acc = typename Op::acc;
    static constexpr int kNever = 0x7fffffff;

    const struct ragged_walks &t;
    output_of<Op> *out; /* at the thread's column */
    int64_t begin;      /* the group's first row */
    int64_t k, until;   /* the next end's offset, and past the group's last */
    int next, after;    /* rows from `begin` to it, and to the one after it */
    Acc sum, head;      /* since the last end; up to the first one */
    int64_t head_k;     /* that offset's number, or 0 */

    __device__ __forceinline__ int distance(int64_t i) const
    {
        return i < until ? (int)(t.rows.offset(i) - begin) : kNever;
    }
    __device__ __forceinline__ void seek(int64_t i)
    {
        k = i;
        next = distance(k);
        after = distance(k + 1);
    }
    __device__ __forceinline__ void write(int64_t i, Acc result)
    {
        out[(i - 1) * t.inner] =
            Op::lower(result, t.rows.offset(i) - t.rows.offset(i - 1));
    }

    /* The first offset past `row`: empty segments are passed over, however many
     * there are. */
    __device__ __forceinline__ void seek_behind(int row)
    {
        int64_t low = k, high = until;
        while (low < high) {
            const int64_t middle = low + (high - low) / 2;
            if (distance(middle) > row)
                high = middle;
            else
                low = middle + 1;
        }
        seek(low);
    }

    /* A segment ends before `row`. */
    __device__ __forceinline__ void finish(int row)
    {
        if (head_k)
            write(k, sum);
        else {
            head = sum;
            head_k = k;
        }
        sum = Op::identity();
        ++k;
        next = after;
        after = distance(k + 1);
        if (next == row)
            seek_behind(row);
    }

    __device__ __forceinline__ void walk(const T *in, int rows)
    {
        seek_behind(0); /* the first group has offsets of 0, too */
        in += begin * t.inner;
        constexpr int kRows = kBatch<T>;
        for (int row = 0; row < rows; row += kRows, in += kRows * t.inner) {
            T x[kRows];
#pragma unroll
            for (int i = 0; i < kRows; ++i)
                x[i] = row + i < rows ? in[i * t.inner] : Op::pad();
#pragma unroll
            for (int i = 0; i < kRows; ++i) {
                sum = Op::combine(sum, Op::lift(x[i]));
                if (row + i + 1 == next)
                    finish(row + i + 1);
            }
        }
    }
};

/* Writes the results of empty segments among offsets [from, until): this thread
 * has every `step`th one, from the `first`. */
template <class Op>
__device__ __forceinline__ void write_empty(column_walk<Op> &walk, int64_t from,
                                            int64_t until, int first, int step)
{
    for (int64_t k = max(from, (int64_t)1) + first; k < until; k += step)
        if (walk.t.rows.offset(k) == walk.t.rows.offset(k - 1))
            walk.write(k, Op::identity());
}

/* The sums that a unit's groups keep, and their results. */
template <class Acc>
struct ragged_groups {
    Acc heads[kRaggedThreads], tails[kRaggedThreads];
    int64_t head_ks[kRaggedThreads];
};

/* Writes the results that groups share; leaves the block's own head, its number
 * and its tail in `walk`. One thread per column. */
template <class Op>
__device__ __forceinline__ void
join_groups(column_walk<Op> &walk,
            const ragged_groups<typename Op::acc> &shared)
{
    walk.head_k = 0;
    walk.sum = Op::identity();
    for (int g = 0; g < walk.t.groups; ++g) {
        const int at = g * walk.t.width + threadIdx.x;
        const int64_t k = shared.head_ks[at];
        if (k) {
            const auto head = Op::combine(walk.sum, shared.heads[at]);
            if (walk.head_k)
                walk.write(k, head);
            else {
                walk.head_k = k;
                walk.head = head;
            }
            walk.sum = shared.tails[at];
        } else
            walk.sum = Op::combine(walk.sum, shared.tails[at]);
    }
}

/* Publishes the block's tail, and writes the result of the segment that began
 * in another block. A prefix never follows an aggregate, so that the order of
 * additions is always the same. Every thread of the block calls it. */
template <class Op, class State>
__device__ __forceinline__ void
join_blocks(column_walk<Op> &walk,
            const ragged_groups<typename Op::acc> &shared,
            const column_chain<State> &chain)
{
    const bool joins = chain.exists && chain.sharer == 0;
    if (joins) {
        join_groups(walk, shared);
        if (chain.step + 1 < ceil_div(walk.t.rows.tiles, walk.t.groups))
            publish(chain.mine,
                    chain.step == 0 || walk.head_k ? TILE_PREFIX
                                                   : TILE_AGGREGATE,
                    walk.sum);
    }
    if (!__syncthreads_or(joins && walk.head_k))
        return;
    const auto carry = column_carry<Op, 2>(chain);
    if (joins && walk.head_k)
        walk.write(walk.head_k, Op::combine(carry, walk.head));
}

template <class T, class Op>
static __global__ void
__launch_bounds__(kRaggedThreads,
                  kResident<kRaggedThreads, blocks_of(sizeof(T))>)
    ragged_columns(const T *__restrict__ in, output_of<Op> *__restrict__ out,
                   const struct ragged_walks t, unsigned long long *ticket,
                   tile_state<typename Op::acc> *states, const int64_t *starts)
{
    TAG(fast);
    using Acc = typename Op::acc;
    __shared__ ragged_groups<Acc> shared;
    __shared__ int64_t taken;
    const int lane = (int)threadIdx.x % t.width;
    const int group = (int)threadIdx.x / t.width;
    const int stride = tile_stride<Acc>(t.width);
    const auto start = [&](int64_t tile) {
        return (int64_t)__ldcg((const long long *)starts +
                               min(tile, t.rows.tiles));
    };
    if (threadIdx.x == 0)
        early_wait();
    for (int64_t n = blockIdx.x; n < t.units; n += gridDim.x) {
        const int64_t unit = take_ticket(ticket, &taken);
        const int64_t number = divide(unit, t.strips);
        const int64_t column = (unit - number * t.strips) * t.width + lane;
        const bool exists = group < t.groups && column < t.inner;
        const int64_t first = number * t.groups, tile = first + group;
        const int64_t begin = min(tile * t.rows.tile_rows, t.rows.count);
        const int64_t end = min(begin + t.rows.tile_rows, t.rows.count);
        column_walk<Op> walk = { t, out + column, begin };
        walk.sum = walk.head = Op::identity();
        if (exists) {
            walk.k = start(tile);
            walk.until = start(tile + 1);
            walk.walk(in + column, (int)(end - begin));
            write_empty(walk, start(first), start(first + t.groups), group,
                        t.groups);
        }
        shared.heads[threadIdx.x] = walk.head;
        shared.tails[threadIdx.x] = walk.sum;
        shared.head_ks[threadIdx.x] = walk.head_k;
        __syncthreads();
        const column_chain<tile_state<Acc>> chain = {
            .mine = states + unit * stride + lane,
            .step = number,
            .stride = t.strips * stride,
            .groups = t.width,
            .group = lane,
            .sharer = group,
            .sharers = t.groups < 16 ? t.groups : 16,
            .exists = exists,
        };
        join_blocks(walk, shared, chain);
    }
}

/* ------------------------------------------------------------------ host */

static struct ragged_walks walks_of(const struct problem *p)
{
    struct ragged_walks t = { .inner = p->shape.inner };
    t.strips = ceil_div(t.inner, kRaggedThreads);
    t.width = (int)ceil_div(t.inner, t.strips);
    t.groups = kRaggedThreads / t.width;
    const int64_t blocks =
        (int64_t)p->device->sm_count * blocks_of(dtype_bytes(p->dtype));
    const int64_t units = blocks > t.strips ? blocks / t.strips : 1;
    const int64_t rows = ceil_div(p->shape.axis, units * t.groups);
    constexpr int64_t kMostRows = 1 << 30;
    t.rows = ragged_tiling_of(p,
                              (int)(rows < kBatch<float> ? kBatch<float>
                                    : rows < kMostRows   ? rows
                                                         : kMostRows),
                              0);
    t.units = ceil_div(t.rows.tiles, t.groups) * t.strips;
    return t;
}

static size_t workspace_bytes(const struct problem *p)
{
    const struct ragged_walks t = walks_of(p);
    return ragged_bytes(p, t.rows.tiles, t.units, t.width);
}

static int launch(const struct problem *p, void *stream)
{
    const struct ragged_walks t = walks_of(p);
    return dispatch_reduce<kNeeds>(p, [&]<class Op>(Op) -> int {
        return launch_ragged<false>(p, ragged_columns<typename Op::element, Op>,
                                    t, t.units, t.width, 0,
                                    blocks_of(dtype_bytes(p->dtype)), stream);
    });
}

VARIANTS(reduce__ragged_columns) = {
    { .name = "ragged_columns",
      .idea = "a group of threads walks rows, and writes at segments' ends",
      ON_CUDA(reductions<kNeeds>(), 1),
      .error_growth = ERROR_SERIAL,
      .deterministic = true,
      .refuses = ragged_column_refuses,
      .workspace_bytes = workspace_bytes,
      .launch = launch,
      .ragged = true },
    {},
};
