/* SPDX-License-Identifier: MIT
 *
 * Blocks leave partial results in memory and count themselves; the last to
 * arrive then reads the results of all. Counters start at zero.
 *
 * The thread that counts fences for its whole block: a barrier orders the
 * others' writes before its fence, and their reads after it.
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

/* True in all threads of the last of `count` blocks. */
__device__ __forceinline__ bool last_block(unsigned *counter, int64_t count)
{
    __shared__ bool last;
    delay();
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        delay();
        last = atomicAdd(counter, 1u) == (unsigned)(count - 1);
        __threadfence();
    }
    __syncthreads();
    return last;
}

#endif
