/* SPDX-License-Identifier: MIT
 *
 * The result of a line in shared memory by an operator of two passes: its
 * extreme, then the result from that. A group of lanes owns a line, lane k its
 * vectors k, k + lanes and so on, from the first that the line touches.
 */
#ifndef VARIANTS_REDUCE_LINE_OWNER_TWO_PASSES_CUH
#define VARIANTS_REDUCE_LINE_OWNER_TWO_PASSES_CUH

#include "variants/common/access/shuffle.cuh"
#include "variants/common/access/vector.cuh"

/* The reduction over each group of `lanes` lanes, in all of them: see
 * warp_reduce(). */
template <class Op>
__device__ __forceinline__ typename Op::acc join_lanes(typename Op::acc sum,
                                                       int lanes)
{
    if constexpr (Op::commutative) {
        for (unsigned step = (unsigned)lanes / 2; step > 0; step /= 2)
            sum = Op::combine(sum, shuffle_xor(sum, step));
    } else {
        for (int step = 1; step < lanes; step *= 2) {
            const auto other = shuffle_xor(sum, step);
            sum = threadIdx.x & step ? Op::combine(other, sum)
                                     : Op::combine(sum, other);
        }
    }
    return sum;
}

/* The vector, with pads in place of elements outside of the line. */
template <class Op, class T = typename Op::element>
__device__ __forceinline__ vecs_in_words<vec<T>>
padded(const uint4 &words, int e, int start, int end)
{
    constexpr int kBits = 8 * (int)sizeof(T);
    const int skip = (start - e) * kBits, over = (e + kVec<T> - end) * kBits;
    auto x = __builtin_bit_cast(vecs_in_words<vec<T>>, words);
    if (skip <= 0 && over <= 0)
        return x;
    const auto pad = pad_words<Op, decltype(x)>();
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        const unsigned mine =
            __funnelshift_lc(0, ~0u, max(skip - 32 * k, 0)) &
            __funnelshift_rc(~0u, 0, max(over - 32 * (3 - k), 0));
        uint32_t &word = x.vec[0].word[k];
        word = (word & mine) | (pad.vec[0].word[k] & ~mine);
    }
    return x;
}

/* Calls add(x, e) for the vectors e, e + step and so on of a line, in the tile.
 */
template <class Op, class Add>
__device__ __forceinline__ void for_vectors(const uint4 *tile, int e, int step,
                                            int start, int end, Add add)
{
    for (; e < end; e += step)
        add(padded<Op>(tile[e / kVec<typename Op::element>], e, start, end), e);
}

/* The result of a line of any length, read twice: in a group's first lane. */
template <class Op>
__device__ __forceinline__ output_of<Op>
in_two_passes(const uint4 *tile, int e, int lanes, int start, int end, int axis)
{
    using T = typename Op::element;
    using First = typename Op::first_pass;
    using Second = typename Op::second_pass;
    constexpr int V = kVec<T>;
    auto best = First::identity();
    for_vectors<Op>(tile, e, lanes * V, start, end, [&](auto x, int) {
        best = First::combine(best, Op::template best_in<V, ADJACENT>(x));
    });
    const Second second{ join_lanes<First>(best, lanes) };
    auto sum = Second::identity();
    for_vectors<Op>(tile, e, lanes * V, start, end, [&](auto x, int at) {
        sum = second.template absorb<V>(sum, x,
                                        [=](int k) { return at - start + k; });
    });
    return second.lower(join_lanes<Second>(sum, lanes), axis);
}

/* ------------------------------------------------------- in registers */

/* Vectors of a line that a lane holds at most. */
constexpr int kMostHeld = 8;

/* All bits of those items of a word whose numbers, from `first` on, are below
 * `end`, which lies within 1000 elements of the vector's first. */
template <class T>
__device__ __forceinline__ uint32_t items_below(int first, int end)
{
    constexpr int kBits = 8 * (int)sizeof(T);
    if constexpr (kBits == 16) {
        /* Subnormal halves are ordered as their bits; negative numbers become
         * NaNs, which nothing is below. */
        const uint32_t numbers = first | (first + 1) << 16;
        const uint32_t ends = __byte_perm(end, 0, 0x1010);
        return __hlt2_mask(reinterpret_cast<const __half2 &>(numbers),
                           reinterpret_cast<const __half2 &>(ends));
    } else if constexpr (kBits == 8) {
        return ~__funnelshift_lc(0, ~0u, max((end - first) * kBits, 0));
    } else {
        return first < end ? ~0u : 0;
    }
}

/* Pads in place of the elements of a vector below `end`, or of all others. */
template <class Op, bool Below, class Words>
__device__ __forceinline__ void pad_items(Words &x, int end)
{
    using T = typename Op::element;
    const auto pad = pad_words<Op, Words>();
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        const uint32_t below = items_below<T>(4 * k / (int)sizeof(T), end);
        const uint32_t drop = Below ? below : ~below;
        x.word[k] = (x.word[k] & ~drop) | (pad.word[k] & drop);
    }
}

/* A lane's vectors of a line, the first at element e, in the tile. Only the
 * first can begin before the line, only the last two can end after it; of
 * these, the last but one only if `two_ends`. */
template <class Op, int Held, class T = typename Op::element>
__device__ __forceinline__ vecs_in_words<vec<T>, Held>
hold(const uint4 *tile, int e, int lanes, int start, int end, bool two_ends)
{
    constexpr int V = kVec<T>;
    vecs_in_words<vec<T>, Held> x;
    using words = std::remove_reference_t<decltype(x.vec[0])>;
    const int first = (unsigned)e / V, last = (unsigned)(end - 1) / V;
#pragma unroll
    for (int j = 0; j < Held; ++j) {
        const int at = first + j * lanes;
        x.vec[j] =
            __builtin_bit_cast(words, tile[j < Held - 2 ? at : min(at, last)]);
    }
    pad_items<Op, true>(x.vec[0], start - e);
    if (two_ends)
        pad_items<Op, false>(x.vec[Held - 2],
                             end - (e + (Held - 2) * lanes * V));
    pad_items<Op, false>(x.vec[Held - 1], end - (e + (Held - 1) * lanes * V));
    return x;
}

/* The result of a line of at most `held` vectors per lane: in a group's first
 * lane. */
template <class Op, int Held = 2>
__device__ __forceinline__ output_of<Op>
in_registers(const uint4 *tile, int lane, int lanes, int held, bool two_ends,
             int start, int axis)
{
    using First = typename Op::first_pass;
    using Second = typename Op::second_pass;
    constexpr int V = kVec<typename Op::element>;
    if constexpr (Held < kMostHeld)
        if (held > Held)
            return in_registers<Op, Held + 1>(tile, lane, lanes, held, two_ends,
                                              start, axis);
    const int e = ((unsigned)start / V + lane) * V;
    const auto x =
        hold<Op, Held>(tile, e, lanes, start, start + axis, two_ends);
    const auto best = Op::template best_in<Held * V, ADJACENT>(x);
    const Second second{ join_lanes<First>(best, lanes) };
    const auto sum =
        second.template absorb<Held * V>(Second::identity(), x, [=](int k) {
            return e - start + k % V + k / V * V * lanes;
        });
    return second.lower(join_lanes<Second>(sum, lanes), axis);
}

#endif
