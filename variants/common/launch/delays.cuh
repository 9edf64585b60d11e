/* SPDX-License-Identifier: MIT
 *
 * delay() precedes each publication and each poll of a word by which blocks
 * wait for each other. It does nothing, except in test builds
 * (broken/rebuilt.cu.in): there it delays most calls briefly, some for long,
 * and all calls of some blocks, to force interleavings that rarely occur.
 */
#ifndef VARIANTS_COMMON_LAUNCH_DELAYS_CUH
#define VARIANTS_COMMON_LAUNCH_DELAYS_CUH

#include <stdint.h>

__device__ __forceinline__ void delay(void)
{
#ifdef SCANBENCH_DELAYS
    /* One delay per warp, unless its threads arrive one by one. */
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
