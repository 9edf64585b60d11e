/* SPDX-License-Identifier: MIT
 *
 * For reductions that cut the axis into pieces, so that few lines fill the GPU
 * too: the pass that combines their partial results.
 */
#ifndef VARIANTS_REDUCE_SPLIT_AXIS_ADD_PARTIALS_CUH
#define VARIANTS_REDUCE_SPLIT_AXIS_ADD_PARTIALS_CUH

#include "variants/common/kernel.cuh"
#include "variants/common/launch/programmatic_launch.cuh"

constexpr int kPartialThreads = 256;
/* Few enough that indices in 32 bits do not wrap one round past the end. */
constexpr int64_t kMostPartials = 1 << 28;

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

/* Partial results are a tensor of shape (outer, pieces, inner) themselves, of
 * at most kMostPartials accumulators. A block covers 1 << log_columns lines,
 * and its threads divide the pieces; there is a block for every line. The first
 * pass has no pieces: it fetches the code while the kernel before this one
 * still runs. */
template <class Op>
static __global__ void __launch_bounds__(kPartialThreads)
    add_partials(const typename Op::acc *partials, output_of<Op> *out,
                 unsigned lines, unsigned pieces, unsigned inner, int64_t axis,
                 int log_columns)
{
    using Acc = typename Op::acc;
    constexpr int kLoads = 8;
    __shared__ Acc sums[kPartialThreads];
    const unsigned thread = threadIdx.x, columns = 1u << log_columns;
    const unsigned line =
        (blockIdx.x << log_columns) + (thread & (columns - 1));
    const unsigned o = line / inner, apart = columns > 32 ? columns : 32;
    const Acc *x = partials + (o * pieces * inner + (line - o * inner));
    const unsigned step = (kPartialThreads >> log_columns) * inner;

#pragma unroll 1
    for (int pass = kStartsEarly ? 0 : 1; pass < 2; ++pass) {
        if (pass == 1)
            early_wait();
        const unsigned end = pass == 1 && line < lines ? pieces * inner : 0;
        unsigned at = (thread >> log_columns) * inner;
        Acc sum = Op::identity();
#pragma unroll 1
        do {
            Acc terms[kLoads];
#pragma unroll
            for (int j = 0; j < kLoads; ++j, at += step)
                terms[j] = at < end ? read_partial(x + at) : Op::identity();
            sum = Op::combine(sum, pairwise_sum<Op>(terms));
        } while (at < end);
#pragma unroll 1
        for (unsigned lane = columns; lane < 32; lane *= 2)
            sum = Op::combine(sum, shuffle_xor(sum, (int)lane));
        sums[thread] = sum;
        __syncthreads();
        if (thread < columns) {
#pragma unroll 1
            for (unsigned k = thread + apart; k < kPartialThreads; k += apart)
                sum = Op::combine(sum, sums[k]);
            if (end > 0)
                out[line] = Op::lower(sum, axis);
        }
        __syncthreads(); /* all have read before sums are written again */
    }
}

/* Columns of a block, as a power of two: few enough that each thread has about
 * eight pieces, which are all in flight. */
inline int partial_columns(int64_t pieces)
{
    int log_columns = 8;
    static_assert(1 << 8 == kPartialThreads);
    while (log_columns > 0 && kPartialThreads >> log_columns < pieces / 8)
        --log_columns;
    return log_columns;
}

/* Queues the pass over the partial results at the workspace's start; it starts
 * early if the kernel before it permits that (early_allow()). */
template <class Op>
int queue_add_partials(const struct problem *p, int64_t pieces, void *stream)
{
    const int log_columns = partial_columns(pieces);
    const int64_t lines = shape_lines(p->shape);
    if (lines * pieces > kMostPartials)
        return cudaErrorInvalidValue;
    return launch_early(p, add_partials<Op>, ceil_div(lines, 1 << log_columns),
                        kPartialThreads, 0, stream, p->workspace, p->out,
                        (unsigned)lines, (unsigned)pieces,
                        (unsigned)p->shape.inner, p->shape.axis, log_columns);
}

/* The same, from add_partials.cu, whose kernels serve all files. */
#ifdef OTHER_OPERATORS
#define ADD_PARTIALS variants__others__add_partials
#else
#define ADD_PARTIALS variants__add_partials
#endif
extern "C" int ADD_PARTIALS(const struct problem *p, int64_t pieces,
                            void *stream);

/* In a dispatch to Op; a plugin compiles the kernels of its own operators. */
template <class Op>
int launch_add_partials(const struct problem *p, int64_t pieces, void *stream)
{
#ifdef SCANBENCH_OPERATORS
    return queue_add_partials<Op>(p, pieces, stream);
#else
    return ADD_PARTIALS(p, pieces, stream);
#endif
}

#endif
