/* SPDX-License-Identifier: MIT
 *
 * Idea     The axis is split over blocks, and each combines its results with
 *          the output by atomics. A plugin's operator that stores another type
 *          than its accumulator's takes a second kernel.
 * Against  strip_registers: no partial results are stored, and no second kernel
 *          combines them. But the atomics arrive in any order, so that the last
 *          bits differ from launch to launch; and the output must be cleared,
 *          which the walk overlaps.
 * Traffic  N elements, and a few atomics per column in the L2 (passes = 1).
 * Needs    an operator with an atomic; walks in single elements off 16-byte
 *          boundaries.
 * Source   none.
 * Lesson   Atomics finish the sum with the least code, but in varying order.
 */
#include "variants/common/launch/clear_early.cuh"
#include "variants/reduce/split_axis/axis_split.cuh"

/* The output is cleared to zeros. Sums of halves are left out, as they would
 * take the second kernel. */
constexpr unsigned kNeeds = NEEDS_ATOMIC | NEEDS_COMMUTATIVE |
                            NEEDS_ZERO_IDENTITY | no_sums_of(DTYPE_F16) |
                            no_sums_of(DTYPE_BF16);

template <class Op, int V, int Loads, class T = typename Op::element>
static __global__ void
__launch_bounds__(kSplitThreads, kResident<kSplitThreads, kSplitBlocks<Loads>>)
    split_axis_atomics(const T *__restrict__ in, typename Op::acc *out,
                       struct shape shape, struct axis_split s)
{
    using Acc = typename Op::acc;
    __shared__ Acc shared[V * kSplitThreads];
    early_allow();
    const int64_t tiles = shape.outer * s.pieces * s.strips;

    for (int64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        const int64_t strip = tile % s.strips;
        const int64_t piece = tile / s.strips % s.pieces;
        const int64_t o = tile / s.strips / s.pieces;

        /* load, upsweep */
        Acc sums[V];
        axis_split_walk<Op, V, Loads>(in, shape, s, o, strip, piece, sums);
        const int places = axis_split_join<Op>(s, shape.inner, sums, shared);

        /* store */
        early_wait(); /* the output is cleared */
        const int64_t v = strip * s.columns + threadIdx.x;
        int64_t column = v * V % shape.inner;
        if (threadIdx.x < s.columns && v < s.vecs)
#pragma unroll
            for (int k = 0; k < V; ++k) {
                if (k >= places)
                    break;
                Op::atomic(&out[o * shape.inner + column],
                           shared[k * kSplitThreads + threadIdx.x]);
                column = column + 1 < shape.inner ? column + 1 : 0;
            }
        __syncthreads(); /* shared is read before it is written again */
    }
}

/* True if the output cannot hold accumulators, or stores something else. */
template <class Op>
constexpr bool kLowers =
    !is_addition<Op> || !std::is_same_v<typename Op::element, typename Op::acc>;

template <class Op, class T = typename Op::element>
static __global__ void __launch_bounds__(kSplitThreads)
    lower_sums(const typename Op::acc *sums, T *out, int64_t lines,
               int64_t axis)
{
    early_wait();
    for (int64_t line = blockIdx.x * (int64_t)kSplitThreads + threadIdx.x;
         line < lines; line += gridDim.x * (int64_t)kSplitThreads)
        out[line] = Op::lower(__ldcg(sums + line), axis);
}

template <class Op, int V, int Loads>
static int launch_walk(const struct problem *p, void *stream)
{
    using Acc = typename Op::acc;
    const int64_t lines = shape_lines(p->shape);
    const struct axis_split s = axis_split_of<V, Loads>(p);
    auto *sums = (Acc *)(kLowers<Op> ? p->workspace : p->out);
    const int error = launch_cleared(
        p, sums, lines * sizeof(Acc), split_axis_atomics<Op, V, Loads>,
        p->shape.outer * s.pieces * s.strips, kSplitThreads, 0, stream, p->in,
        sums, p->shape, s);
    if constexpr (kLowers<Op>)
        if (error == cudaSuccess)
            return launch_early(p, lower_sums<Op>,
                                ceil_div(lines, kSplitThreads), kSplitThreads,
                                0, stream, sums, p->out, lines, p->shape.axis);
    return error;
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

static size_t workspace_bytes(const struct problem *p)
{
    return shape_lines(p->shape) * bytes_for(p, []<class Op>(Op) {
               return kLowers<Op> ? sizeof(typename Op::acc) : 0;
           });
}

/* i: f32 items in flight per thread, four in each load. */
#define POINT(items)                                                           \
    {                                                                          \
        .name = "split_axis_atomics_i" #items,                                 \
        .idea = "the axis is split over blocks, which add to the output",      \
        ON_CUDA(reductions<kNeeds>(), 1), ERROR_OF_TILES(2),                   \
        .loses_subnormals = true, /* atomicAdd() of floats does */             \
            .workspace_bytes = workspace_bytes, .launch = launch<items / 4>    \
    }

VARIANTS(reduce__split_axis_atomics) = {
    POINT(32),
    {},
};
