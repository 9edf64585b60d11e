/* SPDX-License-Identifier: MIT
 *
 * A kernel may use a value twice that is cheap to compute and expensive to
 * keep: a half as a float, a row's address. The compiler computes it once and
 * keeps it, which costs registers and thus resident blocks. forget() hides that
 * its source has not changed, so that the value is computed again.
 *
 * Two compilers would notice. The empty asm of forget(x) stops the first, which
 * emits PTX, at no cost, but not ptxas. An exclusive or with a 0 that neither
 * can derive stops both, and costs an instruction per word.
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
__device__ __forceinline__ void forget(uint8_t &)
{
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
