/* SPDX-License-Identifier: MIT
 *
 * Look-back of tiles whose carry is a vector: each column has its own state per
 * tile, and several threads that read it.
 */
#ifndef VARIANTS_COMMON_LOOK_BACK_COLUMN_CARRY_CUH
#define VARIANTS_COMMON_LOOK_BACK_COLUMN_CARRY_CUH

#include "variants/common/look_back/tile_state.cuh"

/* A 4-byte state for half-precision elements: a float whose last bit is the
 * flag. Zero bits, as after a memset, have to mean that nothing is published:
 * the word is stored inverted, so that 0 stands for one NaN, and NaNs are
 * published as another, 0x7ffffffe. */
struct short_state {
    uint32_t word;
};

__device__ __forceinline__ void publish(short_state *tile, tile_flag flag,
                                        float value)
{
    constexpr uint32_t kNan = 0x7ffffffe;
    /* + 1: to the nearest value whose last bit is 0. */
    const uint32_t bits = value == value ? __float_as_uint(value) + 1 : kNan;
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

/* The state of a column. */
template <class Op>
using column_state =
    std::conditional_t<sizeof(typename Op::element) == 2 &&
                           std::is_same_v<typename Op::acc, float>,
                       short_state, tile_state<typename Op::acc>>;

/* The reduction of the Depth tiles from number `behind` backward, up to the
 * nearest prefix, and in *found whether there is one. */
template <class Op, int Depth, class State>
__device__ __forceinline__ typename Op::acc
window_carry(const State *mine, int64_t step, int64_t behind, int64_t stride,
             bool *found)
{
    unsigned flag[Depth];
    typename Op::acc value[Depth], sum = Op::identity();
#pragma unroll
    for (int k = 0; k < Depth; ++k) {
        flag[k] = TILE_PREFIX; /* before the line: the identity */
        value[k] = Op::identity();
        if (behind + k <= step)
            flag[k] = peek(mine - (behind + k) * stride, &value[k]);
    }
    *found = false;
#pragma unroll
    for (int k = 0; k < Depth; ++k)
        if (!*found) {
            for (; flag[k] == TILE_NOTHING; __nanosleep(50))
                flag[k] = peek(mine - (behind + k) * stride, &value[k]);
            sum = Op::combine(value[k], sum);
            *found = flag[k] == TILE_PREFIX;
        }
    return sum;
}

/* A thread's column, and where its states lie. Threads `sharer` * `columns` +
 * `column` with sharer < sharers look back for a column together. */
template <class State>
struct column_chain {
    State *mine;    /* the column's state in this tile */
    int64_t step;   /* the tile's number in its line */
    int64_t stride; /* from a tile's state to the next tile's */
    int columns, column, sharer, sharers;
    bool exists;
};

/* The carry into a tile, in all threads of its column; each reads Depth states
 * at a time. Every thread of a block of at most 256 calls it. */
template <class Op, int Depth, class State>
__device__ __forceinline__ typename Op::acc
column_carry(const column_chain<State> &c)
{
    using Acc = typename Op::acc;
    __shared__ Acc parts[256];
    __shared__ bool founds[256];
    Acc carry = Op::identity();
    bool whole = !c.exists;
    for (int64_t behind = 1;; behind += Depth * c.sharers) {
        bool found = false;
        Acc part = Op::identity();
        if (!whole && c.sharer < c.sharers)
            part = window_carry<Op, Depth>(
                c.mine, c.step, behind + Depth * c.sharer, c.stride, &found);
        parts[threadIdx.x] = part;
        founds[threadIdx.x] = found;
        __syncthreads();
        for (int k = 0; k < c.sharers && !whole; ++k) {
            carry = Op::combine(parts[k * c.columns + c.column], carry);
            whole = founds[k * c.columns + c.column];
        }
        if (__syncthreads_and(whole))
            return carry;
    }
}

#endif
