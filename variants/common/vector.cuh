/* SPDX-License-Identifier: MIT
 *
 * The one vocabulary of accesses: a vec is elements that are moved by one
 * access, 16 bytes of them unless it says otherwise; its words are the register
 * that holds it as it lies in memory, so that a half takes half of the room and
 * twice as many are in flight. (Structs of halves would be copied half by
 * half.)
 */
#ifndef VARIANTS_COMMON_VECTOR_CUH
#define VARIANTS_COMMON_VECTOR_CUH

#include "variants/common/forget.cuh"
#include "variants/common/op.cuh"

/* Elements in a 16-byte access. */
template <class T>
constexpr int kVec = 16 / (int)sizeof(T);

template <class T, int Width = kVec<T>>
struct alignas(Width * sizeof(T)) vec {
    T item[Width];
};

/* Where its bits are cast, nvcc 12 takes a template that nothing has needed yet
 * for incomplete: here they are needed. */
static_assert(sizeof(vec<float>) == 16 && sizeof(vec<double>) == 16 &&
              sizeof(vec<__half>) == 16 && sizeof(vec<__nv_bfloat16>) == 16);

/* The mask bytes of as many elements. */
template <class T, int Width = kVec<T>>
struct alignas(Width) mask_vec {
    uint8_t item[Width];
};

/* The register of a vec, a mask_vec, or of words themselves. */
template <int Bytes>
struct words_of_bytes;
template <>
struct words_of_bytes<16> {
    using type = uint4;
};
template <>
struct words_of_bytes<8> {
    using type = uint2;
};
template <>
struct words_of_bytes<4> {
    using type = uint32_t;
};
template <>
struct words_of_bytes<2> {
    using type = uint16_t;
};
template <>
struct words_of_bytes<1> {
    using type = uint8_t;
};
template <class V>
using words_t = typename words_of_bytes<(int)sizeof(V)>::type;

/* ------------------------------------------------- one access, as words */

/* In PTX, since the compiler takes a store of joined elements apart again. All
 * widths but 16 bytes are single elements. */
__device__ __forceinline__ void store_words(void *to, uint4 x)
{
    asm volatile("st.global.v4.b32 [%0], {%1, %2, %3, %4};" ::"l"(to), "r"(x.x),
                 "r"(x.y), "r"(x.z), "r"(x.w)
                 : "memory");
}
template <class Words>
__device__ __forceinline__ void store_words(void *to, Words x)
{
    *reinterpret_cast<Words *>(to) = x;
}

__device__ __forceinline__ void store_words_shared(void *to, uint4 x)
{
    asm volatile("st.shared.v4.b32 [%0], {%1, %2, %3, %4};" ::"r"(
                     (unsigned)__cvta_generic_to_shared(to)),
                 "r"(x.x), "r"(x.y), "r"(x.z), "r"(x.w)
                 : "memory");
}

/* What is written leaves the L2 first: see l2_hints.cuh. */
__device__ __forceinline__ void store_words_first(void *to, uint4 x)
{
    asm volatile("st.global.cs.v4.b32 [%0], {%1, %2, %3, %4};" ::"l"(to),
                 "r"(x.x), "r"(x.y), "r"(x.z), "r"(x.w)
                 : "memory");
}
template <class Words>
__device__ __forceinline__ void store_words_first(void *to, Words x)
{
    __stcs((Words *)to, x);
}
__device__ __forceinline__ void store_words_first(void *to, uint16_t x)
{
    __stcs((unsigned short *)to, x);
}

/* --------------------------------------- one access, as a vec or as words */

template <class V>
__device__ __forceinline__ V read_vec(const void *from)
{
    return __builtin_bit_cast(V, *reinterpret_cast<const words_t<V> *>(from));
}
template <class V>
__device__ __forceinline__ void write_vec(void *to, const V &x)
{
    store_words(to, __builtin_bit_cast(words_t<V>, x));
}
template <class V>
__device__ __forceinline__ void write_first(void *to, const V &x)
{
    store_words_first(to, __builtin_bit_cast(words_t<V>, x));
}
template <class V>
__device__ __forceinline__ void write_shared(void *to, const V &x)
{
    store_words_shared(to, __builtin_bit_cast(uint4, x));
}

/* ------------------------------------------------------ words and elements */

template <class T>
__device__ __forceinline__ void to_items(const uint4 &words,
                                         acc_t<T> (&v)[kVec<T>])
{
    const auto x = __builtin_bit_cast(vec<T>, words);
#pragma unroll
    for (int k = 0; k < kVec<T>; ++k)
        v[k] = to_acc(x.item[k]);
}

template <class T>
__device__ __forceinline__ uint4 to_words(const acc_t<T> (&v)[kVec<T>])
{
    vec<T> x;
#pragma unroll
    for (int k = 0; k < kVec<T>; ++k)
        x.item[k] = from_acc<T>(v[k]);
    return __builtin_bit_cast(uint4, x);
}

/* Words where the mask is set, else 0: of a mask's bytes, 0 or 1, the sign of
 * each is made a whole element. Bytes are numbered in `bytes`, 8 and more for
 * the sign. */
__device__ __forceinline__ uint32_t spread_mask(uint32_t mask, unsigned bytes)
{
    uint32_t all;
    asm("prmt.b32 %0, %1, 0, %2;" : "=r"(all) : "r"(mask << 7), "r"(bytes));
    return all;
}
template <class T>
__device__ __forceinline__ uint4 keep_where(uint4 x, uint32_t m) /* floats */
{
    return { x.x & spread_mask(m, 0x8888), x.y & spread_mask(m, 0x9999),
             x.z & spread_mask(m, 0xaaaa), x.w & spread_mask(m, 0xbbbb) };
}
template <class T>
__device__ __forceinline__ uint4 keep_where(uint4 x, uint2 m) /* halves */
{
    return { x.x & spread_mask(m.x, 0x9988), x.y & spread_mask(m.x, 0xbbaa),
             x.z & spread_mask(m.y, 0x9988), x.w & spread_mask(m.y, 0xbbaa) };
}
template <class T>
__device__ __forceinline__ uint4 keep_where(uint4 x, uint16_t m) /* doubles */
{
    const uint32_t first = spread_mask(m, 0x8888),
                   second = spread_mask(m, 0x9999);
    return { x.x & first, x.y & first, x.z & second, x.w & second };
}
template <class T, class Words>
__device__ __forceinline__ Words keep_where(Words x,
                                            uint8_t m) /* one element */
{
    return m ? x : Words{};
}

/* ------------------------------------------------- reductions and scans */

template <class Op, class T, int Width>
__device__ __forceinline__ typename Op::acc vec_reduce(const vec<T, Width> &x)
{
    typename Op::acc sum = to_acc(x.item[0]);
#pragma unroll
    for (int k = 1; k < Width; ++k)
        sum = Op::combine(sum, to_acc(x.item[k]));
    return sum;
}

/* Replaces the elements by their scan, `carry` having come before. */
template <class Scan, class Op, class T, int Width>
__device__ __forceinline__ void vec_scan(vec<T, Width> &x,
                                         typename Op::acc carry)
{
#pragma unroll
    for (int step = 0; step < Width; ++step) {
        const int k = Scan::reverse ? Width - 1 - step : step;
        const typename Op::acc sum = Op::combine(carry, to_acc(x.item[k]));
        x.item[k] = from_acc<T>(Scan::exclusive ? carry : sum);
        carry = sum;
    }
}

#endif
