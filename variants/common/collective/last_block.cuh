/* SPDX-License-Identifier: MIT
 *
 * Blocks or warps leave partial results in memory and count themselves; the
 * last to arrive then reads the results of all. Counters start at zero.
 *
 * The thread that counts fences for its whole group: a barrier of the group
 * orders the others' writes before its fence, and their reads after it.
 */
#ifndef VARIANTS_COMMON_COLLECTIVE_LAST_BLOCK_CUH
#define VARIANTS_COMMON_COLLECTIVE_LAST_BLOCK_CUH

#include "variants/common/collective/prefix.cuh"
#include "variants/common/launch/delays.cuh"
#include "variants/common/launch/dispatch.cuh"

/* Bytes of a workspace that begins with counters, up to what follows them. */
inline int64_t counter_bytes(int64_t counters)
{
    return ceil_div(counters * (int64_t)sizeof(unsigned), 256) * 256;
}

/* Counts the calling thread; true for the last of `count`. */
__device__ __forceinline__ bool arrive_last(unsigned *counter, int64_t count)
{
    __threadfence();
    delay();
    const bool last = atomicAdd(counter, 1u) == (unsigned)(count - 1);
    __threadfence();
    return last;
}

/* True in all threads of the last of `count` blocks. */
__device__ __forceinline__ bool last_block(unsigned *counter, int64_t count)
{
    __shared__ bool last;
    delay();
    __syncthreads();
    if (threadIdx.x == 0)
        last = arrive_last(counter, count);
    __syncthreads();
    return last;
}

/* True in all lanes of the last of `count` warps. */
__device__ __forceinline__ bool last_warp(unsigned *counter, int64_t count)
{
    bool last = false;
    delay();
    __syncwarp();
    if (threadIdx.x % 32 == 0)
        last = arrive_last(counter, count);
    last = __shfl_sync(kWholeWarp, last, 0);
    __syncwarp(); /* a shuffle alone does not order memory */
    return last;
}

#endif
