/* SPDX-License-Identifier: MIT
 *
 * Look-back of tiles whose carry is a vector: each column has its own state per
 * tile, and several threads that read it.
 */
#ifndef VARIANTS_COMMON_LOOK_BACK_COLUMN_CARRY_CUH
#define VARIANTS_COMMON_LOOK_BACK_COLUMN_CARRY_CUH

#include "variants/common/look_back/tile_state.cuh"

/* A 4-byte state for sums of half-precision elements: a float whose last bit is
 * the flag. Zero bits, as after a memset, have to mean that nothing is
 * published. So the word is stored inverted, which makes 0 the code of one NaN,
 * and every NaN is published as another, 0x7ffffffe. */
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
    std::conditional_t<is_addition<Op> && is_half<typename Op::element>,
                       short_state, tile_state<typename Op::acc>>;

/* A thread's columns, and where their states lie. Threads `sharer` * `groups` +
 * `group` with sharer < sharers have the same columns, and look back for them
 * together. */
template <class State>
struct column_chain {
    State *mine;    /* the first column's state in this tile */
    int64_t step;   /* the tile's number in its line */
    int64_t stride; /* states from a tile to the next */
    int groups, group, sharer, sharers;
    bool exists; /* this thread has columns */
    int apart;   /* states from one of its columns to the next, if several */
};

/* The reductions of the Depth tiles from number `behind` backward, each up to
 * its column's nearest prefix. Returns a mask of the columns that have one. */
template <class Op, int Depth, int Columns, class State>
__device__ __forceinline__ unsigned
window_carry(const column_chain<State> &chain, int64_t behind,
             typename Op::acc (&sum)[Columns])
{
    const auto state = [&](int k, int c) {
        return chain.mine - (behind + k) * chain.stride + c * chain.apart;
    };
    unsigned flag[Columns][Depth];
    typename Op::acc value[Columns][Depth];
#pragma unroll
    for (int k = 0; k < Depth; ++k)
#pragma unroll
        for (int c = 0; c < Columns; ++c) {
            flag[c][k] = TILE_PREFIX; /* before the line: the identity */
            value[c][k] = Op::identity();
            if (behind + k <= chain.step)
                flag[c][k] = peek(state(k, c), &value[c][k]);
        }
    unsigned found = 0;
#pragma unroll
    for (int c = 0; c < Columns; ++c) {
        sum[c] = Op::identity();
#pragma unroll
        for (int k = 0; k < Depth; ++k)
            if (!(found >> c & 1)) {
                for (; flag[c][k] == TILE_NOTHING; __nanosleep(50))
                    flag[c][k] = peek(state(k, c), &value[c][k]);
                sum[c] = Op::combine(value[c][k], sum[c]);
                found |= (unsigned)(flag[c][k] == TILE_PREFIX) << c;
            }
    }
    return found;
}

/* The carries into a tile, in all threads of its columns; each thread reads
 * Depth states of each of its Columns columns at a time. Every thread of a
 * block of at most Threads calls it. */
template <class Op, int Depth, int Threads = 256, int Columns, class State>
__device__ __forceinline__ void column_carry(const column_chain<State> &chain,
                                             typename Op::acc (&carry)[Columns])
{
    constexpr unsigned kAll = (1u << Columns) - 1;
    __shared__ typename Op::acc parts[Columns][Threads];
    __shared__ uint8_t founds[Threads];
    unsigned whole = chain.exists ? 0 : kAll; /* a bit per column */
    set_identity<Op>(carry);
    for (int64_t behind = 1;; behind += Depth * chain.sharers) {
        if (whole != kAll && chain.sharer < chain.sharers) {
            typename Op::acc part[Columns];
            founds[threadIdx.x] = (uint8_t)window_carry<Op, Depth>(
                chain, behind + Depth * chain.sharer, part);
#pragma unroll
            for (int c = 0; c < Columns; ++c)
                parts[c][threadIdx.x] = part[c];
        }
        __syncthreads();
        for (int k = 0; k < chain.sharers && whole != kAll; ++k) {
            const int from = k * chain.groups + chain.group;
#pragma unroll
            for (int c = 0; c < Columns; ++c)
                if (Columns == 1 || !(whole >> c & 1))
                    carry[c] = Op::combine(parts[c][from], carry[c]);
            whole |= founds[from];
        }
        if (__syncthreads_and(whole == kAll))
            return;
    }
}

/* The carry of a thread with one column. */
template <class Op, int Depth, class State>
__device__ __forceinline__ typename Op::acc
column_carry(const column_chain<State> &chain)
{
    typename Op::acc carry[1];
    column_carry<Op, Depth>(chain, carry);
    return carry[0];
}

#endif
