/* SPDX-License-Identifier: MIT
 *
 * Idea     A block covers 32 neighbouring columns by 8 to 32 rows: every warp
 *          reads a contiguous span, the rows stride the axis, and a tree in
 *          shared memory combines them. One short kernel, eight or sixteen
 *          loads in flight per thread. Where these blocks are too few for the
 *          GPU, a cluster of up to 16 divides the axis, and its first block
 *          combines what the others send into its shared memory. An axis of up
 *          to 16 needs no tree: a block is then 256 columns.
 * Against  smem_tree: the block's threads lie along inner first, so that no
 *          fetched sector is wasted; strip_registers, split_axis_atomics: no
 *          second kernel, nothing to clear, a third of the instructions.
 * Traffic  N elements: the compulsory minimum (passes = 1).
 * Needs    inner >= 2; columns for many blocks, or SMs idle.
 * Source   none.
 * Lesson   Launches, first instructions and round trips dominate up to a few
 *          megabytes: one that loads its whole share at once is up to twice as
 *          fast as kernels that reach the memory's speed.
 */
#include "variants/common/access/column_vectors.cuh"
#include "variants/common/collective/cluster_exchange.cuh"
#include "variants/reduce/split_axis/partials.cuh"

constexpr int kColumns = 32, kDeepest = 32, kMostParts = 16;
constexpr int kLeastThreads = 8 * kColumns;
constexpr int kLoads = 16; /* per thread; half as many where sums are wide */
template <class Op>
constexpr int kItems = sizeof(typename Op::acc) > 8 ? kLoads / 2 : kLoads;

struct block_tiling {
    struct shape shape;
    int64_t strips;
    int columns; /* of a strip and of a block */
    int parts;   /* blocks of a cluster, each of which takes `each` rows */
    int64_t each;
};

/* What the blocks of a cluster send to the first. */
template <class Acc>
struct gathered {
    Acc sums[kMostParts * kColumns];
    uint64_t arrived;
};

template <class Acc>
__device__ __forceinline__ void start_gathering(const block_tiling &t,
                                                gathered<Acc> *all)
{
    if (cluster_rank() == 0 && threadIdx.x == 0) {
        bulk_init(&all->arrived, 1);
        bulk_expect(&all->arrived,
                    (unsigned)(t.parts * t.columns * (int)sizeof(Acc)));
        cluster_barriers_ready();
    }
    cluster_arrive();
}

/* Returns the whole cluster's sum of its column to each of the first threads of
 * the first block. There are so few clusters that each has one tile. */
template <class Op>
__device__ __forceinline__ typename Op::acc
gather(const block_tiling &t, typename Op::acc sum,
       gathered<typename Op::acc> *all)
{
    const int part = (int)cluster_rank(), thread = (int)threadIdx.x;
    cluster_wait(); /* `arrived` is initialised */
    if (thread < t.columns)
        send_sum(0, &all->sums[part * t.columns + thread], sum, &all->arrived);
    if (part != 0)
        return sum;
    bulk_wait(&all->arrived, 0);
    add_rows<Op>(all->sums, t.parts, t.columns);
    return thread < t.columns ? all->sums[thread] : sum;
}

/* 64 bits are not divided, as that is a call. */
template <class Op, class T = typename Op::element>
static __global__ void __launch_bounds__(kColumns *kDeepest)
    block_2d(const T *__restrict__ in, output_of<Op> *__restrict__ out,
             const struct block_tiling t)
{
    using Acc = typename Op::acc;
    __shared__ Acc sums[kColumns * kDeepest];
    const int column = threadIdx.x % t.columns, row = threadIdx.x / t.columns;
    const int rows = (int)blockDim.x / t.columns; /* threads beyond them idle */
    const int part = (int)(blockIdx.x % (unsigned)t.parts);
    const int64_t first = part * t.each; /* of this block's rows */
    const int64_t left = t.shape.axis - first;
    const auto mine = share_of<Op>(left < 0 ? 0 : min(left, t.each), row, rows);
    const int64_t step = mine.step * t.shape.inner; /* elements */
#if HAS_BULK_COPY
    __shared__ gathered<Acc> all;
    if (t.parts > 1)
        start_gathering(t, &all);
#endif

    for (int64_t tile = blockIdx.x / (unsigned)t.parts;
         tile < t.shape.outer * t.strips;
         tile += gridDim.x / (unsigned)t.parts) {
        const row_and_column at(tile, t.strips);
        const int64_t i = at.column * t.columns + column;
        const bool inside = i < t.shape.inner && row < rows;
        const int64_t result = at.row * t.shape.inner + i;

        /* load */
        const T *x =
            in + result +
            (at.row * (t.shape.axis - 1) + first + mine.begin) * t.shape.inner;
        Acc sum = Op::identity();
        for (int64_t rest = inside ? mine.end - mine.begin : 0; rest > 0;
             rest -= kItems<Op> * mine.step) {
            T v[kItems<Op>];
#pragma unroll
            for (int j = 0; j < kItems<Op>; ++j, x += step)
                v[j] = j * mine.step < rest ? *x : Op::pad();
            sum = add_items<Op>(sum, v, [&](int j) {
                return first + mine.end - rest + j * mine.step;
            });
        }

        /* upsweep */
        sums[threadIdx.x] = sum;
        add_rows<Op>(sums, rows, t.columns);
        sum = sums[threadIdx.x];
#if HAS_BULK_COPY
        if (t.parts > 1)
            sum = gather<Op>(t, sum, &all);
#endif

        /* store */
        if (part == 0 && row == 0 && inside)
            out[result] = Op::lower(sum, t.shape.axis);
        __syncthreads(); /* all have read before the next tile is loaded */
    }
}

/* Doubles *count up to `most` while as many rows do not load the axis at once
 * and the GPU has threads for twice as many. */
static void deepen(const struct problem *p, int *count, int most, int rows,
                   int64_t blocks)
{
    const int64_t threads = (int64_t)p->device->sm_count * 1024;
    while (*count < most && (int64_t)*count * rows * kLoads < p->shape.axis &&
           2 * *count * rows * kColumns * blocks <= threads)
        *count *= 2;
}

/* Columns of a block. */
static int columns_of(const struct problem *p)
{
    const int most = p->shape.axis <= kLoads ? kLeastThreads : kColumns;
    return (int)(p->shape.inner < most ? p->shape.inner : most);
}

static int launch(const struct problem *p, void *stream)
{
    struct block_tiling tiling = { .shape = p->shape,
                                   .columns = columns_of(p),
                                   .parts = 1 };
    tiling.strips = ceil_div(p->shape.inner, tiling.columns);
    const int64_t blocks = p->shape.outer * tiling.strips;
    int rows = kLeastThreads / kColumns;
    if (built_for(p, 90))
        deepen(p, &tiling.parts, cluster_most(p), rows, blocks);
    deepen(p, &rows, kDeepest, tiling.parts, blocks);
    tiling.each = ceil_div(p->shape.axis, tiling.parts);
    return dispatch_reduce(p, [&]<class Op>(Op) -> int {
        using T = typename Op::element;
        const auto kernel = block_2d<Op>;
        const int threads = kColumns * rows;
        struct block_tiling t = tiling;
        if (!Op::commutative) { /* the parts could outnumber the rows */
            t.parts = 1;
            t.each = p->shape.axis;
        }
        if (t.parts == 1)
            return launch_kernel(kernel, blocks, threads, 0, stream, p->in,
                                 p->out, t);
        return cluster_launch(kernel, blocks, (unsigned)t.parts, threads, 0,
                              stream, (const T *)p->in, (output_of<Op> *)p->out,
                              t);
    });
}

static const char *refuses(const struct problem *p)
{
    if (p->shape.inner < 2)
        return "serves strided lines only (inner >= 2)";
    return too_many_vectors(p, columns_of(p));
}

VARIANTS(reduce__block_2d) = {
    {
        .name = "block_2d_i16",
        .idea = "a block of columns by rows, combined in shared memory",
        ON_CUDA(reductions(), 1),
        ERROR_OF_TILES(128),
        .deterministic = true,
        .refuses = refuses,
        .launch = launch,
        .portable_bits = true,
    },
    {},
};
