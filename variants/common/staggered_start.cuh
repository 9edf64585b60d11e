/* SPDX-License-Identifier: MIT
 *
 * At the start every multiprocessor has room for several tiles, and nothing
 * else to do than load them. Asked for all at once they arrive all late, and
 * what tiles tell each other waits in line behind them; then all look back at
 * the same time, and the memory is idle meanwhile. So only a third is asked for
 * at once, and the others as those before them are there.
 */
#ifndef VARIANTS_COMMON_STAGGERED_START_CUH
#define VARIANTS_COMMON_STAGGERED_START_CUH

#include "variants/common/tile_state.cuh"

/* So many multiprocessors, or a few more: a hint. */
__device__ __forceinline__ unsigned multiprocessors(void)
{
    unsigned count;
    asm("mov.u32 %0, %%nsmid;" : "=r"(count));
    return count;
}

/* The tile that has to be there before tile `number` is asked for, or -1; with
 * about so many blocks to a multiprocessor. It has a lower ticket, so that it
 * has started. Where all tiles fit at once, there is nothing to wait for. */
template <int Blocks>
__device__ __forceinline__ int64_t starts_after(int64_t number, int64_t tiles)
{
    static_assert(Blocks >= 3, "a tile would wait for itself");
    const int64_t resident = (int64_t)(Blocks * multiprocessors());
    const int64_t other = number - resident / 3;
    return tiles > resident && number < resident && other >= 0 ? other : -1;
}

/* Until a tile has told something. */
template <class Acc>
__device__ __forceinline__ void await_told(const tile_state<Acc> *tile)
{
    Acc value;
    while (peek(tile, &value) == TILE_NOTHING)
        __nanosleep(20);
}

#endif
