/* SPDX-License-Identifier: MIT
 *
 * Idea     The axis is split over blocks, and the last block to finish combines
 *          the others' results: each block stores its own, then counts itself,
 *          and the one that counts last reads them all. The order is always the
 *          same, so every launch has the same bits.
 * Against  period_vectors: the same walk, and no second kernel. But counters
 *          must be cleared in every launch, which the walk overlaps; and a
 *          single block does the work of a whole kernel.
 * Traffic  N elements, and the blocks' sums twice (passes = 1).
 * Needs    nothing; walks in single elements off 16-byte boundaries.
 * Source   M. Harris and others, CUDA samples, threadFenceReduction.
 * Lesson   The last block to end can finish the sum without a second kernel.
 */
#include "variants/common/collective/last_block.cuh"
#include "variants/common/kernel.cuh"
#include "variants/common/launch/clear_early.cuh"
#include "variants/reduce/split_axis/axis_split.cuh"

/* Periods alternate between pieces. */
constexpr unsigned kNeeds = NEEDS_COMMUTATIVE;

/* The blocks that share a counter also share their columns: those of a strip,
 * or, where a column has places in several strips, of a slab. */
struct group {
    int64_t index;        /* of the counter */
    int64_t blocks;       /* that count */
    int64_t first, count; /* columns */
};

template <int V>
__device__ __forceinline__ struct group group_of(struct shape shape,
                                                 const struct axis_split &s,
                                                 int64_t o, int64_t strip)
{
    if (s.period > 1)
        return { o, s.pieces * s.strips, 0, shape.inner };
    const int64_t width = (int64_t)s.columns * V, first = strip * width;
    return { o * s.strips + strip, s.pieces, first,
             first + width < shape.inner ? width : shape.inner - first };
}

/* Combines `rows` rows of partial results, `inner` apart, with many loads in
 * flight: the whole GPU waits for this block. */
template <class Op, int Loads, class T>
__device__ __forceinline__ void
add_group(const typename Op::acc *partials, T *out, int64_t rows,
          struct shape shape, int64_t columns, typename Op::acc *sums)
{
    using Acc = typename Op::acc;
    /* As many as the walk's registers hold, combined sixteen at a time. */
    constexpr int kPart = 16, kFit = Loads * 2 / (int)sizeof(Acc);
    constexpr int kParts = kFit > 0 ? kFit : 1;
    const int width = (int)(columns < kSplitThreads ? columns : kSplitThreads);
    const int depth = kSplitThreads / width, row = threadIdx.x / width;
    for (int64_t first = 0; first < columns; first += width) {
        const int64_t column = first + threadIdx.x % width;
        const bool mine = column < columns && row < depth;
        Acc sum = Op::identity();
        for (int64_t r = mine ? row : rows; r < rows;
             r += depth * kPart * kParts) {
            Acc terms[kParts][kPart];
#pragma unroll
            for (int j = 0; j < kPart * kParts; ++j) {
                const int64_t place = (r + j * depth) * shape.inner + column;
                terms[j / kPart][j % kPart] =
                    r + j * depth < rows ? read_partial(partials + place)
                                         : Op::identity();
            }
#pragma unroll
            for (int part = 0; part < kParts; ++part)
                sum = Op::combine(sum, pairwise_sum<Op>(terms[part]));
        }
        __syncthreads(); /* the columns before have been read */
        sums[threadIdx.x] = sum;
        add_rows<Op>(sums, depth, width);
        if (mine && row == 0)
            out[column] = Op::lower(sums[threadIdx.x], shape.axis);
    }
}

template <class Op, int V, int Loads, class T = typename Op::element>
static __global__ void
__launch_bounds__(kSplitThreads, kResident<kSplitThreads, kSplitBlocks<Loads>>)
    split_axis_last_block(const T *__restrict__ in, T *out, unsigned *counters,
                          typename Op::acc *partials, struct shape shape,
                          struct axis_split s)
{
    TAG(fast);
    using Acc = typename Op::acc;
    __shared__ Acc shared[V * kSplitThreads];
    const int64_t elems = s.period * shape.inner; /* of a period */
    const int64_t tiles = shape.outer * s.pieces * s.strips;
    const bool alone = s.pieces * s.period == 1;

    for (int64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        const int64_t strip = tile % s.strips;
        const int64_t piece = tile / s.strips % s.pieces;
        const int64_t o = tile / s.strips / s.pieces;

        /* load, upsweep */
        Acc sums[V];
        axis_split_walk<Op, V, Loads>(in, shape, s, o, strip, piece, sums);
        axis_split_join<Op>(s, sums, shared);

        /* store */
        const int64_t v = strip * s.columns + threadIdx.x;
        if (threadIdx.x < s.columns && v < s.vecs)
#pragma unroll
            for (int k = 0; k < V; ++k) {
                const Acc sum = shared[k * kSplitThreads + threadIdx.x];
                if (alone)
                    out[o * shape.inner + v * V + k] =
                        Op::lower(sum, shape.axis);
                else
                    partials[(o * s.pieces + piece) * elems + v * V + k] = sum;
            }
        __syncthreads(); /* shared is read before it is written again */
        if (alone)
            continue;

        /* spine */
        const struct group g = group_of<V>(shape, s, o, strip);
        early_wait(); /* the counters are cleared */
        if (last_block(counters + g.index, g.blocks))
            add_group<Op, Loads>(partials + o * s.pieces * elems + g.first,
                                 out + o * shape.inner + g.first,
                                 s.pieces * s.period, shape, g.count, shared);
        __syncthreads();
    }
}

/* The workspace begins with the counters; the partial results follow. */
static size_t counter_bytes(const struct problem *p, const struct axis_split &s)
{
    const int64_t groups = p->shape.outer * (s.period > 1 ? 1 : s.strips);
    return s.pieces * s.period == 1 ? 0 : (size_t)counter_bytes(groups);
}

template <class Op, int V, int Loads>
static int launch_walk(const struct problem *p, void *stream)
{
    const struct axis_split s = axis_split_of<V, Loads>(p);
    const size_t reset = counter_bytes(p, s);
    return launch_cleared(
        p, p->workspace, reset, split_axis_last_block<Op, V, Loads>,
        p->shape.outer * s.pieces * s.strips, kSplitThreads, 0, stream, p->in,
        p->out, p->workspace, (char *)p->workspace + reset, p->shape, s);
}

template <int Loads>
static int launch(const struct problem *p, void *stream)
{
    return dispatch_reduce<kNeeds>(p, [&]<class Op>(Op) -> int {
        using T = typename Op::element;
        return axis_split_vectors(p)
                   ? launch_walk<Op, kVec<T>, Loads>(p, stream)
                   : launch_walk<Op, 1, Loads>(p, stream);
    });
}

template <int V, int Loads>
static size_t walk_bytes(const struct problem *p)
{
    const struct axis_split s = axis_split_of<V, Loads>(p);
    return counter_bytes(p, s) +
           shape_lines(p->shape) * s.pieces * s.period * acc_bytes(p);
}

/* The larger of both walks' workspaces: the alignment of `in` is not known
 * yet. */
template <int Loads>
static size_t workspace_bytes(const struct problem *p)
{
    size_t vectors = 0;
    dispatch_dtype(p->dtype, [&]<class T>(tag<T>) {
        vectors = walk_bytes<kVec<T>, Loads>(p);
        return 0;
    });
    const size_t singles = walk_bytes<1, Loads>(p);
    return vectors > singles ? vectors : singles;
}

/* i: f32 items in flight per thread, four in each load. */
#define POINT(items)                                                           \
    {                                                                          \
        .name = "split_axis_last_block_i" #items,                              \
        .idea = "the axis is split over blocks, the last one adds their sums", \
        .runs_on = DEVICE_CUDA, .ops = reductions<kNeeds>(), .passes = 1,      \
        .error_growth = ERROR_TILED, .error_tile = 2, .deterministic = true,   \
        .workspace_bytes = workspace_bytes<items / 4>,                         \
        .launch = launch<items / 4>                                            \
    }

VARIANTS(reduce__split_axis_last_block) = {
    POINT(16),
    {},
};
