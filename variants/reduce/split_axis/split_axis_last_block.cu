/* SPDX-License-Identifier: MIT
 *
 * Idea     The axis is split over blocks, and the block that is done last adds
 *          the others' sums up: each leaves its sums, then counts itself, and
 *          who counts the last one knows that all are there. Always in the
 *          same order, so every launch has the same bits.
 * Against  period_vectors: the same walk, and no second kernel. But
 *          counters must be cleared in every launch, which the walk need not
 *          wait for; and one block adds what a whole kernel would.
 * Traffic  N elements, and the blocks' sums twice (passes = 1).
 * Needs    nothing; walks in single elements off 16-byte boundaries.
 * Source   M. Harris and others, CUDA samples, threadFenceReduction.
 * Lesson   One kernel can finish the sum if the last block to end knows that it
 *          is the last.
 */
#include "variants/common/launch/clear_early.cuh"
#include "variants/common/look_back/delays.cuh"
#include "variants/reduce/split_axis/axis_split.cuh"

/* The blocks that count together share their columns: those of a strip, or,
 * where a column has places in several strips, of a slab. */
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

/* True in all threads of the last block to come here; it then sees what all
 * of them had written before. */
__device__ __forceinline__ bool done_last(unsigned *counter, int64_t blocks)
{
    __shared__ bool last;
    delay();
    __threadfence();
    __syncthreads();
    delay();
    if (threadIdx.x == 0) {
        early_wait(); /* the counters are cleared */
        last = atomicAdd(counter, 1u) == (unsigned)blocks - 1;
    }
    __syncthreads();
    __threadfence();
    return last;
}

/* Adds `rows` rows of partial sums, `inner` apart: many at once, since a single
 * block has the whole GPU wait. Past the L1, which does not see what other
 * blocks write. */
template <class T, int Loads>
__device__ __forceinline__ void add_group(const acc_t<T> *partials, T *out,
                                          int64_t rows, int64_t inner,
                                          int64_t columns, acc_t<T> *sums)
{
    /* As many as the walk's registers hold, added sixteen at a time. */
    constexpr int kParts = Loads * 2 / (int)sizeof(acc_t<T>), kPart = 16;
    const int width = (int)(columns < kSplitThreads ? columns : kSplitThreads);
    const int depth = kSplitThreads / width, row = threadIdx.x / width;
    for (int64_t first = 0; first < columns; first += width) {
        const int64_t column = first + threadIdx.x % width;
        const bool mine = column < columns && row < depth;
        acc_t<T> sum = 0;
        for (int64_t r = mine ? row : rows; r < rows;
             r += depth * kPart * kParts) {
            acc_t<T> terms[kParts][kPart];
#pragma unroll
            for (int j = 0; j < kPart * kParts; ++j) {
                const int64_t place = (r + j * depth) * inner + column;
                terms[j / kPart][j % kPart] =
                    r + j * depth < rows ? __ldcg(partials + place) : 0;
            }
#pragma unroll
            for (int part = 0; part < kParts; ++part)
                sum += pairwise_sum(terms[part]);
        }
        __syncthreads(); /* the columns before have been read */
        sums[threadIdx.x] = sum;
        add_rows(sums, depth, width);
        if (mine && row == 0)
            out[column] = from_acc<T>(sums[threadIdx.x]);
    }
}

template <class T, int V, int Loads>
static __global__ void
__launch_bounds__(kSplitThreads, kResident<kSplitThreads, kSplitBlocks<Loads>>)
    split_axis_last_block(const T *__restrict__ in, T *out, unsigned *counters,
                          acc_t<T> *partials, struct shape shape,
                          struct axis_split s)
{
    __shared__ acc_t<T> shared[V * kSplitThreads];
    const int64_t elems = s.period * shape.inner; /* of a period */
    const int64_t tiles = shape.outer * s.pieces * s.strips;
    const bool alone = s.pieces * s.period == 1;

    for (int64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        const int64_t strip = tile % s.strips;
        const int64_t piece = tile / s.strips % s.pieces;
        const int64_t o = tile / s.strips / s.pieces;

        /* load, upsweep */
        acc_t<T> sums[V];
        axis_split_walk<T, V, Loads>(in, shape, s, o, strip, piece, sums);
        axis_split_join<V>(s, sums, shared);

        /* store */
        const int64_t v = strip * s.columns + threadIdx.x;
        if (threadIdx.x < s.columns && v < s.vecs)
#pragma unroll
            for (int k = 0; k < V; ++k) {
                const acc_t<T> sum = shared[k * kSplitThreads + threadIdx.x];
                if (alone)
                    out[o * shape.inner + v * V + k] = from_acc<T>(sum);
                else
                    partials[(o * s.pieces + piece) * elems + v * V + k] = sum;
            }
        __syncthreads(); /* shared is read before it is written again */
        if (alone)
            continue;

        /* spine */
        const struct group g = group_of<V>(shape, s, o, strip);
        if (done_last(counters + g.index, g.blocks))
            add_group<T, Loads>(partials + o * s.pieces * elems + g.first,
                                out + o * shape.inner + g.first,
                                s.pieces * s.period, shape.inner, g.count,
                                shared);
        __syncthreads();
    }
}

/* The counters come first in the workspace, then the sums. */
static size_t counter_bytes(const struct problem *p, const struct axis_split &s)
{
    const int64_t groups = p->shape.outer * (s.period > 1 ? 1 : s.strips);
    return s.pieces * s.period == 1
               ? 0
               : ceil_div(groups * sizeof(unsigned), 256) * 256;
}

template <class T, int V, int Loads>
static int launch_walk(const struct problem *p, cudaStream_t stream)
{
    const struct axis_split s = axis_split_of<V, Loads>(p);
    const size_t reset = counter_bytes(p, s);
    const auto kernel = split_axis_last_block<T, V, Loads>;
    const unsigned blocks = grid_x(p->shape.outer * s.pieces * s.strips);
    auto *counters = (unsigned *)p->workspace;
    auto *partials = (acc_t<T> *)((char *)p->workspace + reset);
    if (reset)
        return launch_cleared(p, counters, reset, kernel, blocks, kSplitThreads,
                              0, stream, p->in, p->out, counters, partials,
                              p->shape, s);
    kernel<<<blocks, kSplitThreads, 0, stream>>>(
        (const T *)p->in, (T *)p->out, counters, partials, p->shape, s);
    return cudaGetLastError();
}

template <int Loads>
static int launch(const struct problem *p, void *stream)
{
    return dispatch_dtype(p->dtype, [&](auto type) -> int {
        using T = typename decltype(type)::type;
        return axis_split_vectors(p)
                   ? launch_walk<T, kVec<T>, Loads>(p, (cudaStream_t)stream)
                   : launch_walk<T, 1, Loads>(p, (cudaStream_t)stream);
    });
}

template <class T, int V, int Loads>
static size_t walk_bytes(const struct problem *p)
{
    const struct axis_split s = axis_split_of<V, Loads>(p);
    return counter_bytes(p, s) +
           shape_lines(p->shape) * s.pieces * s.period * sizeof(acc_t<T>);
}

template <int Loads>
static size_t workspace_bytes(const struct problem *p)
{
    size_t bytes = 0; /* of either walk: where `in` lies is not known yet */
    dispatch_dtype(p->dtype, [&](auto type) -> int {
        using T = typename decltype(type)::type;
        const size_t vectors = walk_bytes<T, kVec<T>, Loads>(p);
        const size_t singles = walk_bytes<T, 1, Loads>(p);
        bytes = vectors > singles ? vectors : singles;
        return 0;
    });
    return bytes;
}

/* i: items in flight, as in f32, four a load. */
#define POINT(items)                                                           \
    {                                                                          \
        .name = "split_axis_last_block_i" #items,                              \
        .idea = "the axis split over blocks, the last one adds their sums",    \
        .runs_on = DEVICE_CUDA, .ops = OP_BIT(OP_SUM), .dtypes = DTYPES_ALL,   \
        .passes = 1, .error_growth = ERROR_TILED, .error_tile = 2,             \
        .deterministic = true, .workspace_bytes = workspace_bytes<items / 4>,  \
        .launch = launch<items / 4>                                            \
    }

VARIANTS(reduce__split_axis_last_block) = {
    POINT(16),
    {},
};
