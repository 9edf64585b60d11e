/* SPDX-License-Identifier: MIT
 *
 * Op::near{ reference } takes less work than Op, but only serves a warp whose
 * elements are near a reference; Op serves the others, which are rare. A warp's
 * result becomes an acc of Op by Op::joined_if(reference, sum), and a carry-in
 * a sum by Op::follower_of(carry, reference).
 */
#ifndef VARIANTS_COMMON_NEAR_CUH
#define VARIANTS_COMMON_NEAR_CUH

#include "variants/common/access/vector.cuh"
#include "variants/common/collective/prefix.cuh"

template <class Op>
constexpr bool kHasNear = requires
{
    typename Op::near;
};

/* An element as are_near() compares it: doubles as floats, towards 0, so that
 * no finite one becomes infinite. */
template <class T>
__device__ __forceinline__ T to_compare(T x)
{
    return x;
}
__device__ __forceinline__ float to_compare(double x)
{
    return __double2float_rz(x);
}

/* True, in all lanes, if the elements of a warp's vectors get(0) to
 * get(Vecs - 1) are near the largest, *most, and its magnitude is less than
 * kLargest. Elements of -inf, such as pads, add nothing: they count as near.
 * InRegisters: get() reads registers, and needs constant arguments. */
template <class Op, int Vecs, bool InRegisters, class Get>
__device__ __forceinline__ bool are_near(Get get, float *most)
{
    using T = decltype(to_compare(typename Op::element()));
    using larger = extreme<T, false>;
    using smaller = extreme<T, true>;
    constexpr int V = kVec<typename Op::element>;
    float least = smaller::identity();
    bool holes = false; /* in a vector that has other elements, too */
    *most = larger::identity();
#pragma unroll
    for (int j = 0; j < Vecs; ++j) {
        const auto x = get(j);
        const auto item = [&](int k) { return to_compare(x.item[k]); };
        const float high = extreme_in<T, false, V, ADJACENT>(item);
        const float low = extreme_in<T, true, V, ADJACENT>(item);
        const bool counts = high > larger::identity();
        *most = larger::combine(*most, high);
        least = fminf(least, counts ? low : least);
        holes |= counts && low == larger::identity();
    }
    if (holes) {
        least = smaller::identity();
        constexpr int kAtATime = InRegisters ? Vecs : 1; /* it is rare */
#pragma unroll kAtATime
        for (int j = 0; j < Vecs; ++j)
#pragma unroll
            for (auto item : get(j).item) {
                const float x = value_of(to_compare(item));
                least = fminf(least, x > larger::identity() ? x : least);
            }
    }
    *most = warp_reduce<extreme<float, false>>(*most);
    return __all_sync(kWholeWarp, fabsf(*most) < Op::near::kLargest &&
                                      *most - least <= Op::kSpread);
}

/* True if a carry-in is near the reference, or empty. */
template <class Op>
__device__ __forceinline__ bool is_near(typename Op::acc carry, float reference)
{
    return carry.reference == Op::identity().reference ||
           abs(carry.reference - reference) <= Op::kSpread;
}

/* Op::near over elements that keep_lifted() has replaced by their accs. */
template <class Near>
struct over_lifted : Near {
    using acc = typename Near::acc;
    static __device__ __forceinline__ acc lift(acc x)
    {
        return x;
    }
};
template <class Near>
__device__ __forceinline__ uint4 keep_lifted(const over_lifted<Near> &op,
                                             const uint4 &words)
{
    auto x = __builtin_bit_cast(vec<typename Near::element>, words);
#pragma unroll
    for (auto &item : x.item)
        item = op.Near::lift(item);
    return __builtin_bit_cast(uint4, x);
}
/* Halves have no room for accs: each is lifted where it is read. */
template <class Near>
__device__ __forceinline__ uint4 keep_lifted(const Near &, const uint4 &words)
{
    return words;
}
template <class Near>
using near_in_place = std::conditional_t<
    std::is_same_v<typename Near::element, typename Near::acc>,
    over_lifted<Near>, Near>;

#endif
