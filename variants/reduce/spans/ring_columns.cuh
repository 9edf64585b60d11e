/* SPDX-License-Identifier: MIT
 *
 * Sums of whole rows that lie in a row in memory, chunk by chunk: who adds
 * what. For the files that stream rows through a ring.
 */
#ifndef VARIANTS_REDUCE_SPANS_RING_COLUMNS_CUH
#define VARIANTS_REDUCE_SPANS_RING_COLUMNS_CUH

#include "variants/reduce/split_axis/partials.cuh"

constexpr int kThreads = 512;

/* What a thread adds: elements threadIdx.x + c * kThreads of a span and
 * every step-th one after. Rows shorter than the block lie side by side in it:
 * step is then the largest multiple of the row that the threads can hold. A
 * place from `step` on is nobody's: its thread adds some other's instead. */
template <class T, int Columns>
struct columns {
    acc_t<T> sums[Columns], chains[Columns];
    int at[Columns]; /* next element, from the next chunk's start */
    int step, chain; /* additions in chains */

    __device__ __forceinline__ void begin(int inner)
    {
        step = inner < kThreads ? kThreads / inner * inner : inner;
        chain = 0;
#pragma unroll
        for (int c = 0; c < Columns; ++c) {
            const int place = threadIdx.x + c * kThreads;
            sums[c] = chains[c] = 0;
            at[c] = place < step ? place : 0;
        }
    }

    /* Adds a chunk of n elements; rows = n / step. */
    __device__ __forceinline__ void add(const T *x, int n, int rows)
    {
        /* A chain of so many additions is added to the column's sum: short
         * chains keep the error small. */
        constexpr int kChain = 64;
#pragma unroll(Columns > 2 ? 16 / Columns : 8)
        for (int row = 0; row < rows; ++row, x += step)
#pragma unroll
            for (int c = 0; c < Columns; ++c)
                if (c * kThreads < step)
                    chains[c] += to_acc(x[at[c]]);
        const int rest = n - rows * step;
#pragma unroll
        for (int c = 0; c < Columns; ++c) {
            const bool more = at[c] < rest;
            if (more)
                chains[c] += to_acc(x[at[c]]);
            at[c] += (more ? step : 0) - rest;
        }
        chain += rows + 1;
        if (chain >= kChain)
            end();
    }

    __device__ __forceinline__ void end(void)
    {
        chain = 0;
#pragma unroll
        for (int c = 0; c < Columns; ++c) {
            sums[c] += chains[c];
            chains[c] = 0;
        }
    }
};

#endif
