/* SPDX-License-Identifier: MIT
 *
 * The look-back of tiles whose carry is a vector: every column has a word of
 * its own in every tile's state, and several threads to look at it.
 */
#ifndef VARIANTS_SCAN_COLUMN_CARRY_CUH
#define VARIANTS_SCAN_COLUMN_CARRY_CUH

#include "variants/common/tile_state.cuh"

/* A state in half the room, for the carries of half types: of the value, which
 * is the float's bits turned over, the last bit gives way to the flag, and what
 * a memset of 0 leaves would be a NaN that is written as another. */
struct short_state {
    uint32_t word;
};

__device__ __forceinline__ void publish(short_state *tile, tile_flag flag,
                                        float value)
{
    const uint32_t bits =
        value == value ? __float_as_uint(value) + 1 : 0x7ffffffeu;
    const uint32_t word = ~((bits & ~1u) | (flag == TILE_PREFIX));
    delay();
    asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(&tile->word),
                 "r"(word)
                 : "memory");
}

__device__ __forceinline__ unsigned peek(const short_state *tile, float *value)
{
    uint32_t word;
    delay();
    asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];"
                 : "=r"(word)
                 : "l"(&tile->word)
                 : "memory");
    *value = word ? __uint_as_float(~word & ~1u) : 0;
    return word == 0 ? TILE_NOTHING : word & 1 ? TILE_AGGREGATE : TILE_PREFIX;
}

/* What columns of T publish, and what a state carries. */
template <class T>
using column_state =
    std::conditional_t<sizeof(T) == 2, short_state, tile_state<acc_t<T>>>;

template <class State>
struct carried {
    using type = float;
};
template <>
struct carried<tile_state<double>> {
    using type = double;
};
template <class State>
using carried_t = typename carried<State>::type;

/* What the Depth tiles from number `behind` backward hold up to the first
 * prefix, and whether there is one. */
template <int Depth, class State>
__device__ __forceinline__ carried_t<State>
look_back(const State *mine, int64_t step, int64_t behind, int64_t inner,
          bool *found)
{
    unsigned flag[Depth];
    carried_t<State> value[Depth], sum = 0;
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
template <int Depth, class State>
__device__ __forceinline__ carried_t<State>
column_carry(const State *mine, int64_t step, int64_t stride, int columns,
             int column, int sharer, bool exists, int sharers)
{
    using Acc = carried_t<State>;
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
