/* SPDX-License-Identifier: MIT
 *
 * The look-back of tiles whose carry is a vector: every column has a word of
 * its own in every tile's state, and several threads to look at it.
 */
#ifndef VARIANTS_SCAN_COLUMN_CARRY_CUH
#define VARIANTS_SCAN_COLUMN_CARRY_CUH

#include "variants/scan/tile_state.cuh"

/* What the Depth tiles from number `behind` backward hold up to the first
 * prefix, and whether there is one. */
template <int Depth, class Acc>
__device__ __forceinline__ Acc look_back(const tile_state<Acc> *mine,
                                         int64_t step, int64_t behind,
                                         int64_t inner, bool *found)
{
    unsigned flag[Depth];
    Acc value[Depth], sum = 0;
#pragma unroll
    for (int k = 0; k < Depth; ++k) {
        flag[k] = TILE_PREFIX; /* before the line: 0 */
        value[k] = 0;
        if (behind + k <= step)
            flag[k] = peek(mine - (behind + k) * inner, &value[k]);
    }
    *found = false;
#pragma unroll
    for (int k = 0; k < Depth; ++k)
        if (!*found) {
            for (; flag[k] == TILE_NOTHING; __nanosleep(50))
                flag[k] = peek(mine - (behind + k) * inner, &value[k]);
            sum += value[k];
            *found = flag[k] == TILE_PREFIX;
        }
    return sum;
}

/* A tile's carries, each in all threads of its column: thread number
 * `sharer` * columns + `column` is one of `sharers` that look for it, where it
 * `exists`. `mine` is the column's state in tile `step` of its line; the tile
 * before lies `stride` states before it; a thread looks at Depth of them in
 * one go. Every thread of a block of at most 256
 * calls it. */
template <int Depth, class Acc>
__device__ __forceinline__ Acc column_carry(const tile_state<Acc> *mine,
                                            int64_t step, int64_t stride,
                                            int columns, int column, int sharer,
                                            bool exists, int sharers)
{
    __shared__ Acc parts[256];
    __shared__ bool founds[256];
    Acc carry = 0;
    bool whole = !exists;
    for (int64_t behind = 1;; behind += Depth * sharers) {
        bool found = false;
        Acc part = 0;
        if (!whole && sharer < sharers)
            part = look_back<Depth>(mine, step, behind + Depth * sharer, stride,
                                    &found);
        parts[threadIdx.x] = part;
        founds[threadIdx.x] = found;
        __syncthreads();
        for (int k = 0; k < sharers && !whole; ++k) {
            carry += parts[k * columns + column];
            whole = founds[k * columns + column];
        }
        if (__syncthreads_and(whole))
            return carry;
    }
}

#endif
