/* SPDX-License-Identifier: MIT
 *
 * Vectors: a vec is the elements that one access moves, 16 bytes of them by
 * default; its words are the registers that hold it as it lies in memory, so
 * that halves take half the registers and twice as many are in flight. (The
 * compiler copies structs of halves one half at a time.)
 */
#ifndef VARIANTS_COMMON_ACCESS_VECTOR_CUH
#define VARIANTS_COMMON_ACCESS_VECTOR_CUH

#include "variants/common/access/forget.cuh"
#include "variants/common/op/op.cuh"

/* Elements in a 16-byte access. */
template <class T>
constexpr int kVec = 16 / (int)sizeof(T);

template <class T, int Width = kVec<T>>
struct alignas(Width * sizeof(T)) vec {
    T item[Width];
};

/* nvcc 12 treats a template that is first needed by __builtin_bit_cast as
 * incomplete: instantiate it here. */
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

/* The integer of Bytes bytes, for bits that only move. */
template <size_t Bytes>
using uint_of_bytes = std::conditional_t<
    Bytes == 8, uint64_t,
    std::conditional_t<
        Bytes == 4, uint32_t,
        std::conditional_t<Bytes == 2, uint16_t,
                           std::conditional_t<Bytes == 1, uint8_t, void>>>>;

/* The elements of vectors, held in words: where a condition selects vectors,
 * the compiler would select each element by itself. */
template <class V, int Vecs = 1>
struct vecs_in_words {
    static constexpr int kWords = sizeof(V) / 4;
    struct alignas(sizeof(V)) words {
        uint32_t word[kWords];
    } vec[Vecs];

    __device__ __forceinline__ auto operator()(int k) const
    {
        constexpr int kWidth = sizeof(V::item) / sizeof(V::item[0]);
        return __builtin_bit_cast(V, vec[k / kWidth]).item[k % kWidth];
    }
    /* Four bytes, from the k-th on. */
    __device__ __forceinline__ uint32_t bytes_at(int k) const
    {
        return vec[k / 4 / kWords].word[k / 4 % kWords];
    }
};

/* Rows of adjacent columns: item w of row k, and four bytes from there on. */
template <class V, int Rows>
struct rows_in_words {
    words_t<V> row[Rows];

    __device__ __forceinline__ auto operator()(int k, int w) const
    {
        return __builtin_bit_cast(V, row[k]).item[w];
    }
    __device__ __forceinline__ uint32_t bytes_at(int k, int w) const
        requires(sizeof(V) % 4 == 0)
    {
        struct words {
            uint32_t word[sizeof(V) / 4];
        };
        return __builtin_bit_cast(words, row[k]).word[w / 4];
    }
};

/* ------------------------------------------------- one access, as words */

/* Inline PTX, because the compiler splits the store of a vector that was
 * assembled from elements. Widths below 16 bytes are single elements. */
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

/* Stores with the evict-first hint: see l2_hints.cuh. */
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

template <class Op, int Width = kVec<typename Op::element>>
__device__ __forceinline__ void
to_items(const uint4 &words, typename Op::acc (&v)[Width], const Op &op = {})
{
    const auto x = __builtin_bit_cast(vec<typename Op::element>, words);
#pragma unroll
    for (int k = 0; k < Width; ++k)
        v[k] = op.lift(x.item[k]);
}

template <class Op, int Width = kVec<typename Op::element>>
__device__ __forceinline__ uint4 to_words(const typename Op::acc (&v)[Width],
                                          const Op &op = {})
{
    vec<typename Op::element> x;
#pragma unroll
    for (int k = 0; k < Width; ++k)
        x.item[k] = op.lower(v[k]);
    return __builtin_bit_cast(uint4, x);
}

/* ------------------------------------------------------------------ padding */

/* A vector of pad elements, and the same as words. */
template <class Op, int Width = kVec<typename Op::element>>
__device__ __forceinline__ vec<typename Op::element, Width> pad_vec(void)
{
    vec<typename Op::element, Width> x = {};
    if constexpr (!Op::identity_is_zero_bits)
#pragma unroll
        for (int k = 0; k < Width; ++k)
            x.item[k] = Op::pad();
    return x;
}
template <class Op, class Words>
__device__ __forceinline__ Words pad_words(void)
{
    return __builtin_bit_cast(
        Words,
        pad_vec<Op, (int)(sizeof(Words) / sizeof(typename Op::element))>());
}

/* A byte of a mask, 0 or 1, as 32 bits, all equal: PRMT replicates the sign of
 * mask << 7. `bytes` selects the byte of each result byte, plus 8 for its
 * sign. */
__device__ __forceinline__ uint32_t spread_mask(uint32_t mask, unsigned bytes)
{
    uint32_t all;
    asm("prmt.b32 %0, %1, 0, %2;" : "=r"(all) : "r"(mask << 7), "r"(bytes));
    return all;
}
/* A word where the mask byte or bytes are set, else the pad's. */
template <class Op>
__device__ __forceinline__ uint32_t keep_word(uint32_t x, uint32_t mask,
                                              unsigned bytes, uint32_t pad)
{
    const uint32_t m = spread_mask(mask, bytes);
    return Op::identity_is_zero_bits ? x & m : (x & m) | (pad & ~m);
}

/* A vector's elements where its mask is set, else pads: of 4-byte, 2-byte and
 * 8-byte elements. */
template <class Op>
__device__ __forceinline__ uint4 keep_where(uint4 x, uint32_t m)
{
    const auto pad = pad_words<Op, uint4>();
    return { keep_word<Op>(x.x, m, 0x8888, pad.x),
             keep_word<Op>(x.y, m, 0x9999, pad.y),
             keep_word<Op>(x.z, m, 0xaaaa, pad.z),
             keep_word<Op>(x.w, m, 0xbbbb, pad.w) };
}
template <class Op>
__device__ __forceinline__ uint4 keep_where(uint4 x, uint2 m)
{
    const auto pad = pad_words<Op, uint4>();
    return { keep_word<Op>(x.x, m.x, 0x9988, pad.x),
             keep_word<Op>(x.y, m.x, 0xbbaa, pad.y),
             keep_word<Op>(x.z, m.y, 0x9988, pad.z),
             keep_word<Op>(x.w, m.y, 0xbbaa, pad.w) };
}
template <class Op>
__device__ __forceinline__ uint4 keep_where(uint4 x, uint16_t m)
{
    const auto pad = pad_words<Op, uint4>();
    const uint32_t first = spread_mask(m, 0x8888),
                   second = spread_mask(m, 0x9999);
    if constexpr (Op::identity_is_zero_bits)
        return { x.x & first, x.y & first, x.z & second, x.w & second };
    return { (x.x & first) | (pad.x & ~first), (x.y & first) | (pad.y & ~first),
             (x.z & second) | (pad.z & ~second),
             (x.w & second) | (pad.w & ~second) };
}
/* Likewise two elements of four bytes or one, with pads of 0. */
template <class Op>
__device__ __forceinline__ uint2 keep_where(uint2 x, uint16_t m)
{
    static_assert(Op::identity_is_zero_bits);
    return { x.x & spread_mask(m, 0x8888), x.y & spread_mask(m, 0x9999) };
}
template <class Op>
__device__ __forceinline__ uint16_t keep_where(uint16_t x, uint16_t m)
{
    static_assert(Op::identity_is_zero_bits);
    return (uint16_t)(x & spread_mask(m, 0x98));
}
/* A single element, likewise. */
template <class Op, class Words>
__device__ __forceinline__ Words keep_where(Words x, uint8_t m)
{
    return m ? x : pad_words<Op, Words>();
}

/* ------------------------------------------------- reductions and scans */

/* Without positions, which scans do not track. */
template <class Op, bool Reverse, class T, int Width>
__device__ __forceinline__ typename Op::acc vec_reduce(const vec<T, Width> &x,
                                                       const Op &op = {})
{
    if constexpr (kAbsorbs<Op> && Op::commutative)
        return Op::template absorb<Width, ADJACENT>(
            Op::identity(), [&](int k) { return x.item[k]; },
            [](int k) { return (int64_t)k; });
    typename Op::acc sum = op.lift(x.item[0]);
#pragma unroll
    for (int k = 1; k < Width; ++k)
        sum = combine_in_memory<Op, Reverse>(sum, op.lift(x.item[k]));
    return sum;
}

/* Writes the scan of x to y, which may be x; the carry-in becomes the
 * carry-out. */
template <class Scan, class Op, class T, class Out, int Width>
__device__ __forceinline__ void
vec_scan(const vec<T, Width> &x, vec<Out, Width> &y, typename Op::acc &carry,
         const Op &op = {})
{
    if constexpr (kAppends<Op> && !Scan::exclusive) {
        y = x;
        if (Op::template scan<Scan::reverse>(y.item, carry, 0))
            return;
    }
#pragma unroll
    for (int step = 0; step < Width; ++step) {
        const int k = Scan::reverse ? Width - 1 - step : step;
        y.item[k] = op.lower(
            scan_step<Scan>(carry, Op::combine(carry, op.lift(x.item[k]))));
    }
}

/* Scans a row of columns with a carry each, which becomes the next row's. In
 * place if possible: else loops around it are unrolled differently. */
template <class Scan, class Op, class T, int Width>
__device__ __forceinline__ words_t<vec<output_of<Op>, Width>>
scan_row(const words_t<vec<T, Width>> &row, typename Op::acc (&before)[Width])
{
    auto x = __builtin_bit_cast(vec<T, Width>, row);
    [[maybe_unused]] vec<output_of<Op>, Width> y; /* if another type */
    move_near<Op>(before, x.item);
#pragma unroll
    for (int k = 0; k < Width; ++k) {
        const typename Op::acc sum = append<Op>(before[k], x.item[k]);
        const auto result = Op::lower(Scan::exclusive ? before[k] : sum);
        if constexpr (kStoresElements<Op>)
            x.item[k] = result;
        else
            y.item[k] = result;
        before[k] = sum;
    }
    if constexpr (kStoresElements<Op>)
        return __builtin_bit_cast(words_t<vec<output_of<Op>, Width>>, x);
    else
        return __builtin_bit_cast(words_t<vec<output_of<Op>, Width>>, y);
}

#endif
