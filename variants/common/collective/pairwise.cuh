/* SPDX-License-Identifier: MIT
 *
 * Pairwise reductions of a thread's accumulators: short chains of dependent
 * operations, and errors that grow with the logarithm of their number.
 */
#ifndef VARIANTS_COMMON_COLLECTIVE_PAIRWISE_CUH
#define VARIANTS_COMMON_COLLECTIVE_PAIRWISE_CUH

#include "variants/common/access/vector.cuh"

/* Recursive: loops that halve their count are not always unrolled, and v would
 * then lie in local memory. */
template <class Op, int Half, int Items>
__device__ __forceinline__ void pairwise_fold(typename Op::acc (&v)[Items])
{
    if constexpr (Half > 0) {
#pragma unroll
        for (int k = 0; k < Half; ++k)
            v[k] = Op::commutative ? Op::combine(v[k], v[k + Half])
                                   : Op::combine(v[2 * k], v[2 * k + 1]);
        pairwise_fold<Op, Half / 2>(v);
    }
}

/* The reduction of v, whose length is a power of two. Overwrites v. */
template <class Op, int Items>
__device__ __forceinline__
    typename Op::acc pairwise_sum(typename Op::acc (&v)[Items])
{
    static_assert((Items & (Items - 1)) == 0);
    pairwise_fold<Op, Items / 2>(v);
    return v[0];
}

/* Combines sum with elements, the k-th of which is at place(k), in ascending
 * order. */
template <class Op, int Items, class T, class Place>
__device__ __forceinline__ typename Op::acc
add_items(typename Op::acc sum, const T (&x)[Items], Place place)
{
    if constexpr (kAbsorbs<Op>) {
        return Op::template absorb<Items, APART>(
            sum, [&](int k) { return x[k]; }, place);
    } else {
        typename Op::acc v[Items];
#pragma unroll
        for (int k = 0; k < Items; ++k)
            v[k] = Op::lift(x[k], place(k));
        return Op::combine(sum, pairwise_sum<Op>(v));
    }
}

/* Combines sums with `Rows` rows of adjacent columns, in ascending order:
 * get(k, w) is row k of column w, at place(k, w). */
template <class Op, int Rows, int Width, class Get, class Place>
__device__ __forceinline__ void add_columns(typename Op::acc (&sums)[Width],
                                            Get get, Place place)
{
    if constexpr (kAbsorbsPairs<Op> && Width % 2 == 0) {
#pragma unroll
        for (int w = 0; w < Width; w += 2)
            Op::template absorb_pair<Rows>(
                sums[w], sums[w + 1],
                [&](int k) { return pair_of(get(k, w), get(k, w + 1)); },
                [&](int k, int side) { return place(k, w + side); });
    } else if constexpr (kAbsorbsWords<Op> &&
                         requires { get.bytes_at(0, 0); }) {
#pragma unroll
        for (int w = 0; w < Width; w += 4)
            Op::template absorb_words<Rows>(
                sums + w, [&](int k) { return get.bytes_at(k, w); },
                [&](int k, int side) { return place(k, w + side); });
    } else {
#pragma unroll
        for (int w = 0; w < Width; ++w) {
            typename Op::element column[Rows];
#pragma unroll
            for (int k = 0; k < Rows; ++k)
                column[k] = get(k, w);
            sums[w] = add_items<Op>(sums[w], column,
                                    [&](int k) { return place(k, w); });
        }
    }
}

/* The reduction of a vector's elements, the first of which is at `position`. */
template <class Op>
__device__ __forceinline__ typename Op::acc vec_reduce_at(const uint4 &words,
                                                          int64_t position)
{
    const auto x = __builtin_bit_cast(vec<typename Op::element>, words);
    typename Op::acc v[kVec<typename Op::element>];
#pragma unroll
    for (int k = 0; k < kVec<typename Op::element>; ++k)
        v[k] = Op::lift(x.item[k], position + k);
    return pairwise_sum<Op>(v);
}

/* Combines sum with a vector's elements. Those at negative positions are pads,
 * which absorb() takes for place 0: they are the extreme only of a line of
 * pads. */
template <class Op>
__device__ __forceinline__ typename Op::acc
add_vector(typename Op::acc sum, const uint4 &words, int64_t position)
{
    using T = typename Op::element;
    if constexpr (kAbsorbs<Op>) {
        return Op::template absorb<kVec<T>, ADJACENT>(
            sum, __builtin_bit_cast(vecs_in_words<vec<T>>, words),
            [=](int k) { return max(position + k, (int64_t)0); });
    } else {
        return Op::combine(sum, vec_reduce_at<Op>(words, position));
    }
}

#endif
