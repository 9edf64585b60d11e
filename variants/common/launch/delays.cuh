/* SPDX-License-Identifier: MIT
 *
 * delay() stands where blocks wait for each other: before a word is published,
 * and before it is read. It is nothing, but in a test build
 * (broken/rebuilt.cu.in) it holds threads up, most of them hardly, some for
 * long, and some blocks always, so that orders come about that hardly ever do
 * by themselves.
 */
#ifndef VARIANTS_COMMON_LAUNCH_DELAYS_CUH
#define VARIANTS_COMMON_LAUNCH_DELAYS_CUH

#include <stdint.h>

__device__ __forceinline__ void delay(void)
{
#ifdef SCANBENCH_DELAYS
    /* A warp is held up as one, unless its threads come one by one. */
    uint64_t key = (uint64_t)clock64() + blockIdx.x * 0x9e3779b97f4a7c15u +
                   threadIdx.x / 32;
    key = (key ^ key >> 30) * 0xbf58476d1ce4e5b9u;
    const unsigned draw = (unsigned)(key >> 32);
    if (blockIdx.x % 13 == 5)
        __nanosleep(20000);
    else if (draw % 256 == 0)
        __nanosleep(100000);
    else if (draw % 4 == 0)
        __nanosleep(draw / 256 % 2048);
#endif
}

#endif
