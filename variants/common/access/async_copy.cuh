/* SPDX-License-Identifier: MIT
 *
 * Asynchronous copies to shared memory, up to 16 bytes per thread at a time
 * (cp.async, compute capability 8.0), in PTX; before that, loads and stores.
 */
#ifndef VARIANTS_COMMON_ACCESS_ASYNC_COPY_CUH
#define VARIANTS_COMMON_ACCESS_ASYNC_COPY_CUH

#include "variants/common/access/vector.cuh"
#include "variants/common/launch/arch.cuh"

/* Copies the first `count` of Bytes bytes and zeroes the rest. Copies of 16
 * bytes bypass the L1. */
template <int Bytes>
__device__ __forceinline__ void async_copy(void *to, const void *from,
                                           int count)
{
    static_assert(Bytes == 4 || Bytes == 8 || Bytes == 16);
#if HAS_ASYNC_COPY
    const unsigned there = (unsigned)__cvta_generic_to_shared(to);
    if constexpr (Bytes == 16)
        asm volatile(
            "cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(there),
            "l"(from), "r"(count)
            : "memory");
    else
        asm volatile(
            "cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(there),
            "l"(from), "n"(Bytes), "r"(count)
            : "memory");
#else
    for (int k = 0; k < Bytes; ++k)
        ((char *)to)[k] = k < count ? ((const char *)from)[k] : 0;
#endif
}

/* Copies 16 bytes in the same way. */
__device__ __forceinline__ void async_copy_vector(void *to, const void *from)
{
#if HAS_ASYNC_COPY
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                     (unsigned)__cvta_generic_to_shared(to)),
                 "l"(from)
                 : "memory");
#else
    *(uint4 *)to = *(const uint4 *)from;
#endif
}

/* Thread i of Threads copies its share of `vectors` 16-byte vectors, past the
 * L1 and with l2_hints.cuh's policy. Before 8.0, copies go through registers,
 * some at a time, and are done on return. */
template <int Threads>
__device__ __forceinline__ void
async_copy_run(void *to, const void *from, int vectors, uint64_t policy, int i)
{
    uint4 *y = (uint4 *)to;
    const uint4 *x = (const uint4 *)from;
#if HAS_ASYNC_COPY
#pragma unroll 8
    for (; i < vectors; i += Threads)
        asm volatile("cp.async.cg.shared.global.L2::cache_hint.L2::128B "
                     "[%0], [%1], 16, %2;" ::"r"(
                         (unsigned)__cvta_generic_to_shared(y + i)),
                     "l"(x + i), "l"(policy)
                     : "memory");
#else
    constexpr int kBatch = 6; /* registers are short */
    for (; i < vectors; i += kBatch * Threads) {
        uint4 batch[kBatch];
#pragma unroll
        for (int k = 0; k < kBatch; ++k)
            if (i + k * Threads < vectors)
                batch[k] = x[i + k * Threads];
#pragma unroll
        for (int k = 0; k < kBatch; ++k)
            if (i + k * Threads < vectors)
                y[i + k * Threads] = batch[k];
    }
#endif
}

/* Prefetches a run of bytes to the L2. All threads of the block call it;
 * nothing waits for it. */
template <int Threads>
__device__ __forceinline__ void prefetch_run(const void *from, int bytes)
{
    constexpr int kStep = 64; /* bytes of a DRAM access */
    for (int at = threadIdx.x * kStep; at < bytes; at += Threads * kStep)
#if HAS_ASYNC_COPY
        asm volatile("prefetch.global.L2::evict_last [%0];" ::"l"(
            (const char *)from + at));
#else
        asm volatile("prefetch.global.L2 [%0];" ::"l"((const char *)from + at));
#endif
}

/* Waits for all of this thread's copies. */
__device__ __forceinline__ void async_wait(void)
{
#if HAS_ASYNC_COPY
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

#endif
