/* SPDX-License-Identifier: MIT
 *
 * Warp shuffles of any accumulator.
 */
#ifndef VARIANTS_COMMON_ACCESS_SHUFFLE_CUH
#define VARIANTS_COMMON_ACCESS_SHUFFLE_CUH

#include "variants/common/op/op.cuh"

constexpr unsigned kWholeWarp = 0xffffffffu;

/* Calls shuffle() on each 32-bit word of `value`, or on the whole of it where
 * CUDA has a shuffle of its type. */
template <class Acc, class Shuffle>
__device__ __forceinline__ Acc shuffle_words(const Acc &value, Shuffle shuffle)
{
    if constexpr (std::is_arithmetic_v<Acc>) {
        return shuffle(value);
    } else {
        static_assert(sizeof(Acc) % 4 == 0);
        struct words {
            uint32_t word[sizeof(Acc) / 4];
        };
        auto x = __builtin_bit_cast(words, value);
#pragma unroll
        for (uint32_t &word : x.word)
            word = shuffle(word);
        return __builtin_bit_cast(Acc, x);
    }
}
template <class Acc>
__device__ __forceinline__ Acc shuffle_up(const Acc &value, int lanes)
{
    return shuffle_words(value, [lanes](auto x) {
        return __shfl_up_sync(kWholeWarp, x, lanes);
    });
}
template <class Acc>
__device__ __forceinline__ Acc shuffle_down(const Acc &value, int lanes)
{
    return shuffle_words(value, [lanes](auto x) {
        return __shfl_down_sync(kWholeWarp, x, lanes);
    });
}
template <class Acc>
__device__ __forceinline__ Acc shuffle_xor(const Acc &value, int lanes)
{
    return shuffle_words(value, [lanes](auto x) {
        return __shfl_xor_sync(kWholeWarp, x, lanes);
    });
}
template <class Acc>
__device__ __forceinline__ Acc shuffle_from(const Acc &value, int lane)
{
    return shuffle_words(
        value, [lane](auto x) { return __shfl_sync(kWholeWarp, x, lane); });
}
/* The value `lanes` earlier in walk order. */
template <bool Reverse, class Acc>
__device__ __forceinline__ Acc shuffle_earlier(const Acc &value, int lanes)
{
    return Reverse ? shuffle_down(value, lanes) : shuffle_up(value, lanes);
}

#endif
