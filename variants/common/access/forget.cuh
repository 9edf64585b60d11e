/* SPDX-License-Identifier: MIT
 *
 * A kernel may need a value twice that is cheap to work out and dear to keep:
 * a half as a float, a row's address. The compiler works it out once and keeps
 * it, at the price of registers and so of blocks. forget() hides that the
 * value it comes from has not changed, so that it is worked out again.
 *
 * There are two compilers to hide it from. The empty asm of forget(x) stops
 * the first, which writes PTX, and costs nothing; ptxas sees through it. An
 * exclusive or with a 0 that neither knows stops both, and costs an
 * instruction a word.
 */
#ifndef VARIANTS_COMMON_ACCESS_FORGET_CUH
#define VARIANTS_COMMON_ACCESS_FORGET_CUH

#include <cuda_runtime.h>
#include <stdint.h>

__device__ __forceinline__ void forget(uint4 &x)
{
    asm volatile("" : "+r"(x.x), "+r"(x.y), "+r"(x.z), "+r"(x.w));
}
__device__ __forceinline__ void forget(uint2 &x)
{
    asm volatile("" : "+r"(x.x), "+r"(x.y));
}
__device__ __forceinline__ void forget(uint32_t &x)
{
    asm volatile("" : "+r"(x));
}
__device__ __forceinline__ void forget(uint16_t &x)
{
    asm volatile("" : "+h"(x));
}
__device__ __forceinline__ void forget(int &x)
{
    asm volatile("" : "+r"(x));
}
__device__ __forceinline__ int64_t forget(int64_t x)
{
    asm volatile("" : "+l"(x));
    return x;
}

/* 0, unknown to both compilers: no grid here has a third dimension. */
__device__ __forceinline__ unsigned hidden_zero(void)
{
    return gridDim.z - 1;
}

/* `zero` is hidden_zero(), read once. */
__device__ __forceinline__ void forget(uint4 &words, unsigned zero)
{
    words.x ^= zero;
    words.y ^= zero;
    words.z ^= zero;
    words.w ^= zero;
}

#endif
