/* SPDX-License-Identifier: MIT
 *
 * Idea     Aligned 16-byte loads over rows of any length. V elements of a
 *          vector and rows of `inner` elements line up every
 *          p = V / gcd(inner, V) rows: a period of rows is whole vectors, and
 *          vector v of every period holds the same columns. So each thread
 *          owns a place v in the period, walks from period to period with a
 *          vector of partial results, and a second pass combines the p
 *          results that each column then has.
 * Against  block_2d: a quarter (eighth) of the loads, and no sector that two
 *          warps share.
 * Traffic  N elements, and p partial results per column and piece of the axis,
 *          twice (passes = 1).
 * Needs    nothing; falls back to single elements off 16-byte boundaries.
 * Source   none.
 * Lesson   The columns of a vector repeat after a few rows, so aligned loads
 *          serve any extent.
 */
#include "variants/reduce/split_axis/axis_split.cuh"

/* Periods alternate between pieces. */
constexpr unsigned kNeeds = NEEDS_COMMUTATIVE;

/* Side by side in a block, which is narrow and deep: then the blocks in flight
 * work on fewer slabs. */
constexpr int kColumns = 32;
constexpr int kLoads = 8; /* in flight per thread */

/* The layout depends on the shape alone, and so does each bit of a result. */
template <int V>
static struct axis_split layout_of(struct shape shape)
{
    struct axis_split s = axis_split_into<V>(shape, 1, kColumns);
    const int64_t most = shape.axis / s.period / (s.depth * kLoads * 2);
    s.pieces = axis_pieces(shape.outer * s.strips, (1 << 20) / kSplitThreads,
                           most < 1024 ? most : 1024);
    return s;
}

/* partials is a tensor (outer, pieces * period, inner). */
template <class Op, class T = typename Op::element>
static __global__ void __launch_bounds__(kSplitThreads,
                                         kResident<kSplitThreads, 3>)
    period_vectors(const T *__restrict__ in,
                   typename Op::acc *__restrict__ partials, struct shape shape,
                   struct axis_split s, bool aligned)
{
    TAG(fast);
    using Acc = typename Op::acc;
    constexpr int V = kVec<T>;
    __shared__ Acc shared[V * kSplitThreads];
    early_allow();
    const int64_t tiles = shape.outer * s.pieces * s.strips;

    for (int64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        const int64_t strip = tile % s.strips;
        const int64_t piece = tile / s.strips % s.pieces;
        const int64_t o = tile / s.strips / s.pieces;

        /* load, upsweep */
        Acc sums[V];
        if (aligned)
            axis_split_walk<Op, V, kLoads>(in, shape, s, o, strip, piece, sums);
        else /* elements take a register each, even halves */
            axis_split_walk<Op, V, kLoads / 2>(in, shape, s, o, strip, piece,
                                               sums, false);
        axis_split_join<Op>(s, sums, shared);

        /* store */
        const int64_t v = strip * s.columns + threadIdx.x;
        Acc *to =
            partials + (o * s.pieces + piece) * s.period * shape.inner + v * V;
        if (threadIdx.x < s.columns && v < s.vecs)
#pragma unroll
            for (int k = 0; k < V; ++k)
                to[k] = shared[k * kSplitThreads + threadIdx.x];
        __syncthreads(); /* shared is read before it is written again */
    }
}

static int launch(const struct problem *p, void *stream)
{
    return dispatch_reduce<kNeeds>(p, [&]<class Op>(Op) -> int {
        using T = typename Op::element;
        const struct axis_split s = layout_of<kVec<T>>(p->shape);
        const int error = launch_kernel(
            period_vectors<Op>, p->shape.outer * s.pieces * s.strips,
            kSplitThreads, 0, stream, p->in, p->workspace, p->shape, s,
            axis_split_vectors(p));
        if (error != cudaSuccess)
            return error;
        return launch_add_partials<Op>(p, s.pieces * s.period, stream);
    });
}

static size_t workspace_bytes(const struct problem *p)
{
    size_t bytes = 0;
    dispatch_dtype(p->dtype, [&]<class T>(tag<T>) {
        const struct axis_split s = layout_of<kVec<T>>(p->shape);
        bytes = shape_lines(p->shape) * s.pieces * s.period * acc_bytes(p);
        return 0;
    });
    return bytes;
}

VARIANTS(reduce__period_vectors) = {
    {
        .name = "period_vectors_x32_b256_i32",
        .idea = "aligned 16-byte loads over rows of any length",
        .runs_on = DEVICE_CUDA,
        .ops = reductions<kNeeds>(),
        .passes = 1,
        .error_growth = ERROR_TILED,
        .error_tile = kLoads,
        .deterministic = true,
        .workspace_bytes = workspace_bytes,
        .launch = launch,
    },
    {},
};
