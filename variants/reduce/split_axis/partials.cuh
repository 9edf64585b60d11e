/* SPDX-License-Identifier: MIT
 *
 * What the sums share that cut the axis into pieces, so that few lines fill
 * the GPU too: how many pieces, and the pass that adds the pieces' sums up.
 */
#ifndef VARIANTS_REDUCE_SPLIT_AXIS_PARTIALS_CUH
#define VARIANTS_REDUCE_SPLIT_AXIS_PARTIALS_CUH

#include "variants/common/launch/programmatic_launch.cuh"

/* Pieces of the axis, at most `most`, that make about `wanted` blocks of
 * `blocks`. `wanted` is plenty for any GPU rather than this one's SM count: a
 * sum has the same bits everywhere. */
inline int64_t axis_pieces(int64_t blocks, int64_t wanted, int64_t most)
{
    int64_t pieces = ceil_div(wanted, blocks);
    pieces = pieces < most ? pieces : most;
    return pieces > 1 ? pieces : 1;
}

/* Recursive: loops that halve their count are not always unrolled, and v would
 * then lie in memory. */
template <int Half, class Acc, int Items>
__device__ __forceinline__ void pairwise_fold(Acc (&v)[Items])
{
    if constexpr (Half > 0) {
#pragma unroll
        for (int k = 0; k < Half; ++k)
            v[k] += v[k + Half];
        pairwise_fold<Half / 2>(v);
    }
}

/* The sum of v, pairwise; a power of two of them. Overwrites v. */
template <class Acc, int Items>
__device__ __forceinline__ Acc pairwise_sum(Acc (&v)[Items])
{
    static_assert((Items & (Items - 1)) == 0);
    pairwise_fold<Items / 2>(v);
    return v[0];
}

/* Adds up the columns of sums, `rows` by `columns` of them, into its row 0: a
 * tree, of any number of rows. All of the block's threads call it, each having
 * written sums[threadIdx.x]; thread i < columns may then read sums[i]. */
template <class Acc>
__device__ __forceinline__ void add_rows(Acc *sums, int rows, int columns)
{
    const int row = threadIdx.x / columns;
    for (int count = rows; count > 1;) {
        const int half = (count + 1) / 2;
        __syncthreads();
        if (row < count - half)
            sums[threadIdx.x] += sums[threadIdx.x + half * columns];
        count = half;
    }
}

constexpr int kPartialThreads = 256;

/* Partial sums are a tensor of shape (outer, pieces, inner) themselves. A
 * block is `columns` lines wide and 256 / columns pieces deep. */
template <class T>
static __global__ void __launch_bounds__(kPartialThreads)
    add_partials(const acc_t<T> *partials, T *out, int64_t lines,
                 int64_t pieces, int64_t inner, int columns)
{
    using Acc = acc_t<T>;
    __shared__ Acc sums[kPartialThreads];
    const int column = threadIdx.x % columns, row = threadIdx.x / columns;
    const int rows = kPartialThreads / columns;
    early_wait();

    for (int64_t first = blockIdx.x * (int64_t)columns; first < lines;
         first += gridDim.x * (int64_t)columns) {
        const int64_t line = first + column;
        Acc sum = 0;
        if (line < lines) {
            const Acc *x =
                partials + line / inner * pieces * inner + line % inner;
#pragma unroll 8
            for (int64_t piece = row; piece < pieces; piece += rows)
                sum += __ldcg(x + piece * inner);
        }
        sums[threadIdx.x] = sum;
        add_rows(sums, rows, columns);
        if (row == 0 && line < lines)
            out[line] = from_acc<T>(sums[threadIdx.x]);
        __syncthreads(); /* all have read before the next lines' are written */
    }
}

/* Columns of a block: few, if that takes about eight pieces a thread, which
 * are all in flight. */
inline int partial_columns(int64_t pieces)
{
    int rows = 1;
    while (rows < kPartialThreads && rows * 8 < pieces)
        rows *= 2;
    return kPartialThreads / rows;
}

/* Queues the pass; `outer` and `inner` are the problem's. */
template <class T>
int launch_add_partials(const void *partials, void *out, int64_t outer,
                        int64_t pieces, int64_t inner, cudaStream_t stream)
{
    const int columns = partial_columns(pieces);
    add_partials<T><<<grid_x(ceil_div(outer * inner, columns)), kPartialThreads,
                      0, stream>>>((const acc_t<T> *)partials, (T *)out,
                                   outer * inner, pieces, inner, columns);
    return cudaGetLastError();
}

/* The same for partial sums that fill the workspace, after a kernel that lets
 * it start early (early_allow()). */
template <class T>
int launch_add_partials_early(const struct problem *p, int64_t pieces,
                              cudaStream_t stream)
{
    const int columns = partial_columns(pieces);
    const int64_t lines = shape_lines(p->shape);
    return launch_early(p, add_partials<T>, grid_x(ceil_div(lines, columns)),
                        kPartialThreads, 0, stream,
                        (const acc_t<T> *)p->workspace, (T *)p->out, lines,
                        pieces, p->shape.inner, columns);
}

#endif
