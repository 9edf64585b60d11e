/* SPDX-License-Identifier: MIT
 *
 * Asynchronous copies to shared memory, a thread 16 bytes or fewer at a time
 * (cp.async, compute capability 8.0), in PTX; before that, loads and stores.
 */
#ifndef VARIANTS_COMMON_ASYNC_COPY_CUH
#define VARIANTS_COMMON_ASYNC_COPY_CUH

#include "variants/common/device.cuh"

/* Copies `count` of Bytes bytes, and zeros for the rest: 16 past the L1, 4 and
 * 8 by way of it. */
template <int Bytes>
__device__ __forceinline__ void async_copy(void *to, const void *from,
                                           int count)
{
    static_assert(Bytes == 4 || Bytes == 8 || Bytes == 16);
#if __CUDA_ARCH__ >= 800
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

/* The same of 16 whole bytes. */
__device__ __forceinline__ void async_copy_vector(void *to, const void *from)
{
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                     (unsigned)__cvta_generic_to_shared(to)),
                 "l"(from)
                 : "memory");
#else
    *(uint4 *)to = *(const uint4 *)from;
#endif
}

/* Ends a group of this thread's copies, even if there are none. */
__device__ __forceinline__ void async_commit(void)
{
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

/* Waits for all of this thread's groups but the latest Left. */
template <int Left>
__device__ __forceinline__ void async_groups_left(void)
{
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_group %0;" ::"n"(Left) : "memory");
#endif
}

/* Waits for all of this thread's copies. */
__device__ __forceinline__ void async_wait(void)
{
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

#endif
