/* SPDX-License-Identifier: MIT
 *
 * At the start every multiprocessor has room for several tiles, and nothing to
 * do but load them. If all are requested at once, all arrive late, and the
 * states that tiles publish queue behind them; then all look back at the same
 * time, while the memory is idle. So only a third of them is requested at once,
 * and each of the others when the tile a third before it has published.
 */
#ifndef VARIANTS_COMMON_LOOK_BACK_STAGGERED_START_CUH
#define VARIANTS_COMMON_LOOK_BACK_STAGGERED_START_CUH

#include "variants/common/look_back/tile_state.cuh"

/* The number of multiprocessors, or slightly more: a hint. */
__device__ __forceinline__ unsigned multiprocessors(void)
{
    unsigned count;
    asm("mov.u32 %0, %%nsmid;" : "=r"(count));
    return count;
}

/* The tile that has to be published before tile `number` is requested, or -1,
 * where a multiprocessor holds about Blocks blocks. It has a lower ticket, so
 * it has started. If all tiles fit at once, there is nothing to wait for. */
template <int Blocks>
__device__ __forceinline__ int64_t starts_after(int64_t number, int64_t tiles)
{
    static_assert(Blocks >= 3, "a tile would wait for itself");
    const int64_t resident = (int64_t)(Blocks * multiprocessors());
    const int64_t other = number - resident / 3;
    return tiles > resident && number < resident && other >= 0 ? other : -1;
}

/* Waits until a tile has published something. */
template <class Acc>
__device__ __forceinline__ void await_published(const tile_state<Acc> *tile)
{
    Acc value;
    const unsigned flag = peek(tile, &value);
    await_published(tile, flag, &value);
}

#endif
