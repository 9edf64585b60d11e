/* SPDX-License-Identifier: MIT
 *
 * L2 eviction policies for kernels that write as much as they read.
 *
 * Loads have the evict-last hint, although nothing reads their lines again:
 * written lines then leave the L2 early and in address order, as suits the
 * DRAM. Dirty lines that linger are evicted in arbitrary order.
 */
#ifndef VARIANTS_COMMON_ACCESS_L2_HINTS_CUH
#define VARIANTS_COMMON_ACCESS_L2_HINTS_CUH

#include "variants/common/access/vector.cuh"

__device__ __forceinline__ uint64_t evict_last_policy()
{
    uint64_t policy = 0;
#if __CUDA_ARCH__ >= 800
    asm("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy));
#endif
    return policy;
}

/* Loads with that policy. */
__device__ __forceinline__ uint4 load_words_kept(const uint4 *from,
                                                 uint64_t policy)
{
#if __CUDA_ARCH__ >= 800
    uint4 x;
    asm volatile("ld.global.L2::cache_hint.v4.u32 {%0, %1, %2, %3}, [%4], %5;"
                 : "=r"(x.x), "=r"(x.y), "=r"(x.z), "=r"(x.w)
                 : "l"(from), "l"(policy));
    return x;
#else
    return *from;
#endif
}
__device__ __forceinline__ uint32_t load_words_kept(const uint32_t *from,
                                                    uint64_t policy)
{
#if __CUDA_ARCH__ >= 800
    uint32_t x;
    asm volatile("ld.global.L2::cache_hint.b32 %0, [%1], %2;"
                 : "=r"(x)
                 : "l"(from), "l"(policy));
    return x;
#else
    return *from;
#endif
}
template <class Words>
__device__ __forceinline__ Words load_words_kept(const Words *from, uint64_t)
{
    return *from;
}

template <class V>
__device__ __forceinline__ V read_kept(const V *from, uint64_t policy)
{
    return __builtin_bit_cast(
        V, load_words_kept(reinterpret_cast<const words_t<V> *>(from), policy));
}

/* A vector's mask as one word: separate bytes would take a register each. */
template <class T>
using mask_word = uint_of_bytes<sizeof(mask_vec<T>)>;

template <class Op>
__device__ __forceinline__ uint4 select(uint4 words,
                                        mask_word<typename Op::element> mask)
{
    using T = typename Op::element;
    vec<T> x;
    memcpy(&x, &words, sizeof x);
#pragma unroll
    for (int k = 0; k < kVec<T>; ++k)
        if (!(mask >> 8 * k & 0xff))
            x.item[k] = Op::pad();
    memcpy(&words, &x, sizeof x);
    return words;
}

#endif
