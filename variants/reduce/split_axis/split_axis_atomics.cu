/* SPDX-License-Identifier: MIT
 *
 * Idea     The axis is split over blocks, and each adds its sums to the output
 *          by atomic additions, in the type summed in; half types get a last
 *          step that rounds.
 * Against  split_axis_last_block: nobody waits or counts, and no sums lie
 *          about. But the additions come in any order, so that the last bits
 *          differ from launch to launch; and the output must be cleared,
 *          which the walk need not wait for.
 * Traffic  N elements, and a few additions a column in the L2 (passes = 1).
 * Needs    nothing; walks in single elements off 16-byte boundaries.
 * Source   none.
 * Lesson   Atomics finish the sum with the least code, but in an order of their
 *          own.
 */
#include "variants/common/launch/clear_early.cuh"
#include "variants/reduce/split_axis/axis_split.cuh"

template <class T, int V, int Loads>
static __global__ void
__launch_bounds__(kSplitThreads, kResident<kSplitThreads, kSplitBlocks<Loads>>)
    split_axis_atomics(const T *__restrict__ in, acc_t<T> *out,
                       struct shape shape, struct axis_split s)
{
    __shared__ acc_t<T> shared[V * kSplitThreads];
    early_allow();
    const int64_t tiles = shape.outer * s.pieces * s.strips;

    for (int64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        const int64_t strip = tile % s.strips;
        const int64_t piece = tile / s.strips % s.pieces;
        const int64_t o = tile / s.strips / s.pieces;

        /* load, upsweep */
        acc_t<T> sums[V];
        axis_split_walk<T, V, Loads>(in, shape, s, o, strip, piece, sums);
        axis_split_join<V>(s, sums, shared);

        /* store */
        early_wait(); /* the output is cleared */
        const int64_t v = strip * s.columns + threadIdx.x;
        int64_t column = v * V % shape.inner;
        if (threadIdx.x < s.columns && v < s.vecs)
#pragma unroll
            for (int k = 0; k < V; ++k) {
                atomicAdd(&out[o * shape.inner + column],
                          shared[k * kSplitThreads + threadIdx.x]);
                column = column + 1 < shape.inner ? column + 1 : 0;
            }
        __syncthreads(); /* shared is read before it is written again */
    }
}

template <class T>
static __global__ void __launch_bounds__(kSplitThreads)
    round_sums(const acc_t<T> *sums, T *out, int64_t lines)
{
    early_wait();
    for (int64_t line = blockIdx.x * (int64_t)kSplitThreads + threadIdx.x;
         line < lines; line += gridDim.x * (int64_t)kSplitThreads)
        out[line] = from_acc<T>(__ldcg(sums + line));
}

template <class T, int V, int Loads>
static int launch_walk(const struct problem *p, cudaStream_t stream)
{
    constexpr bool kRounds = !std::is_same_v<T, acc_t<T>>;
    const int64_t lines = shape_lines(p->shape);
    const struct axis_split s = axis_split_of<V, Loads>(p);
    auto *sums = (acc_t<T> *)(kRounds ? p->workspace : p->out);
    const int error = launch_cleared(
        p, sums, lines * sizeof(acc_t<T>), split_axis_atomics<T, V, Loads>,
        grid_x(p->shape.outer * s.pieces * s.strips), kSplitThreads, 0, stream,
        p->in, sums, p->shape, s);
    if (error != cudaSuccess || !kRounds)
        return error;
    return launch_early(p, round_sums<T>,
                        grid_x(ceil_div(lines, kSplitThreads)), kSplitThreads,
                        0, stream, sums, p->out, lines);
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

static size_t workspace_bytes(const struct problem *p)
{
    return dtype_bytes(p->dtype) == 2 ? shape_lines(p->shape) * sizeof(float)
                                      : 0;
}

/* i: items in flight, as in f32, four a load. */
#define POINT(items)                                                           \
    {                                                                          \
        .name = "split_axis_atomics_i" #items,                                 \
        .idea = "the axis split over blocks, which add to the output",         \
        .runs_on = DEVICE_CUDA, .ops = OP_BIT(OP_SUM), .dtypes = DTYPES_ALL,   \
        .passes = 1, .error_growth = ERROR_TILED, .error_tile = 2,             \
        .deterministic = false,                                                \
        .loses_subnormals = true, /* atomicAdd() of floats does */             \
            .workspace_bytes = workspace_bytes, .launch = launch<items / 4>    \
    }

VARIANTS(reduce__split_axis_atomics) = {
    POINT(16),
    POINT(32),
    {},
};
