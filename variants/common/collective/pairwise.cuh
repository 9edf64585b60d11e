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

/* The reduction of a vector's elements, the first of which is at `position`. */
template <class Op>
__device__ __forceinline__ typename Op::acc vector_reduce(const uint4 &words,
                                                          int64_t position)
{
    using T = typename Op::element;
    const auto x = __builtin_bit_cast(vec<T>, words);
    typename Op::acc v[kVec<T>];
#pragma unroll
    for (int k = 0; k < kVec<T>; ++k)
        v[k] = Op::lift(x.item[k], position + k);
    return pairwise_sum<Op>(v);
}

#endif
