/* SPDX-License-Identifier: MIT
 *
 * What the two kernels share: how threads learn the largest error so far, and
 * add up what they found.
 */
#ifndef HARNESS_DEVICE_GLANCE_GATHER_H
#define HARNESS_DEVICE_GLANCE_GATHER_H

#include "harness/device/glance.h"

/* Other warps' largest error, as smaller ones need no close look. A warp reads
 * it every kReadsEvery chunks, a thread kReadsEvery times a chunk: all read the
 * same address. */
constexpr int kReadsEvery = 4;

static __device__ __forceinline__ void read_max_error(const gathered *g,
                                                      glance_result *seen)
{
    const unsigned long long bits =
        *(const volatile unsigned long long *)&g->max_error_bits;
    seen->max_error =
        fmax(seen->max_error, __longlong_as_double((long long)bits));
}

/* What read is to find. */
template <enum dtype D>
__device__ __forceinline__ unsigned word_of(const elements<D> &e, int64_t index,
                                            int64_t inner)
{
    unsigned word = 0;
#pragma unroll
    for (int j = 0; j < kItems; ++j)
        if (e.valid >> j & 1)
            word ^= verify_word(D, e.x[j], index + j * inner);
    return word;
}

/* One block's part of what is gathered. */
static __device__ void gather_results(const glance_result &seen, gathered *g)
{
    __shared__ unsigned long long checked;
    __shared__ unsigned word;
    if (threadIdx.x == 0) {
        checked = 0;
        word = 0;
    }
    const int doubts = __syncthreads_or(seen.doubt);
    unsigned long long sum = seen.checked;
    unsigned mine = seen.word;
    for (int lanes = 16; lanes; lanes /= 2) {
        sum += __shfl_xor_sync(kAll, sum, lanes);
        mine ^= __shfl_xor_sync(kAll, mine, lanes);
    }
    if (threadIdx.x % 32 == 0) {
        atomicAdd(&checked, sum);
        atomicXor(&word, mine);
    }
    __syncthreads();
    if (threadIdx.x)
        return;
    if (checked)
        atomicAdd(&g->checked, checked);
    if (word)
        atomicXor(&g->expected_word, word);
    if (doubts)
        g->doubts = 1;
}

/* item = o * chunks + c */
static __device__ __forceinline__ void
split(int64_t item, int64_t items, int64_t chunks, int64_t *o, int64_t *c)
{
    if (items >> 32 == 0) {
        *o = (uint32_t)item / (uint32_t)chunks;
        *c = (uint32_t)item - (uint32_t)*o * (uint32_t)chunks;
    } else {
        *o = item / chunks;
        *c = item % chunks;
    }
}

#endif
