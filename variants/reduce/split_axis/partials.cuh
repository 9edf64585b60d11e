/* SPDX-License-Identifier: MIT
 *
 * For reductions that cut the axis into pieces, so that few lines fill the GPU
 * too: the number of pieces, and the pass that combines their partial results.
 */
#ifndef VARIANTS_REDUCE_SPLIT_AXIS_PARTIALS_CUH
#define VARIANTS_REDUCE_SPLIT_AXIS_PARTIALS_CUH

#include "variants/common/kernel.cuh"
#include "variants/common/launch/programmatic_launch.cuh"

constexpr int kPartialThreads = 256;

/* Reads an accumulator past the L1, which is not coherent with other blocks'
 * writes. */
template <class Acc>
__device__ __forceinline__ Acc read_partial(const Acc *from)
{
    if constexpr (std::is_arithmetic_v<Acc>)
        return __ldcg(from);
    else
        return __builtin_bit_cast(Acc, __ldcg((const words_t<Acc> *)from));
}

/* Combines `rows` rows of `columns` accumulators into row 0 by a tree, in each
 * of V arrays that lie Apart accumulators apart. All threads of the block call
 * it, each having written its sums[threadIdx.x]; thread i < columns may then
 * read sums[i]. */
template <class Op, int V = 1, int Apart = kPartialThreads>
__device__ __forceinline__ void add_rows(typename Op::acc *sums, int rows,
                                         int columns)
{
    const int row = threadIdx.x / columns;
    typename Op::acc *mine = sums + threadIdx.x;
    if constexpr (!Op::commutative) { /* neighbours join, and keep the order */
        for (int apart = 1; apart < rows; apart *= 2) {
            __syncthreads();
            if (row % (2 * apart) == 0 && row + apart < rows)
#pragma unroll
                for (int k = 0; k < V; ++k)
                    mine[k * Apart] = Op::combine(
                        mine[k * Apart], mine[k * Apart + apart * columns]);
        }
    } else {
        for (int count = rows; count > 1;) {
            const int half = (count + 1) / 2;
            __syncthreads();
            if (row < count - half)
#pragma unroll
                for (int k = 0; k < V; ++k)
                    mine[k * Apart] = Op::combine(
                        mine[k * Apart], mine[k * Apart + half * columns]);
            count = half;
        }
    }
}

/* Partial results are a tensor of shape (outer, pieces, inner) themselves. A
 * block is `columns` lines wide and 256 / columns pieces deep. */
template <class Op>
static __global__ void __launch_bounds__(kPartialThreads)
    add_partials(const typename Op::acc *partials, output_of<Op> *out,
                 int64_t lines, int64_t pieces, int64_t inner, int64_t axis,
                 int columns)
{
    using Acc = typename Op::acc;
    __shared__ Acc sums[kPartialThreads];
    const int column = threadIdx.x % columns, row = threadIdx.x / columns;
    const int rows = kPartialThreads / columns;
    early_wait();

    for (int64_t first = blockIdx.x * (int64_t)columns; first < lines;
         first += gridDim.x * (int64_t)columns) {
        const int64_t line = first + column;
        Acc sum = Op::identity();
        if (line < lines) {
            const Acc *x =
                partials + line / inner * pieces * inner + line % inner;
#pragma unroll 8
            for (int64_t piece = row; piece < pieces; piece += rows)
                sum = Op::combine(sum, read_partial(x + piece * inner));
        }
        sums[threadIdx.x] = sum;
        add_rows<Op>(sums, rows, columns);
        if (row == 0 && line < lines)
            out[line] = Op::lower(sums[threadIdx.x], axis);
        __syncthreads(); /* all have read before the next lines' are written */
    }
}

/* Columns of a block: few enough that each thread has about eight pieces, which
 * are all in flight. */
inline int partial_columns(int64_t pieces)
{
    int rows = 1;
    while (rows < kPartialThreads && rows * 8 < pieces)
        rows *= 2;
    return kPartialThreads / rows;
}

/* Queues the pass over the partial results at the workspace's start; it starts
 * early if the kernel before it permits that (early_allow()). */
template <class Op>
int launch_add_partials(const struct problem *p, int64_t pieces, void *stream)
{
    const int columns = partial_columns(pieces);
    const int64_t lines = shape_lines(p->shape);
    return launch_early(p, add_partials<Op>, ceil_div(lines, columns),
                        kPartialThreads, 0, stream, p->workspace, p->out, lines,
                        pieces, p->shape.inner, p->shape.axis, columns);
}

#endif
