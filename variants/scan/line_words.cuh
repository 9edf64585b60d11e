/* SPDX-License-Identifier: MIT
 *
 * A line's vectors as the raw words that came from memory: to convert them at
 * once would be to wait for each, and to keep halves as twice the registers.
 * Loads and stores stream: neither side of a scan is used again.
 */
#ifndef VARIANTS_SCAN_LINE_WORDS_CUH
#define VARIANTS_SCAN_LINE_WORDS_CUH

#include "variants/device.cuh"

/* A vector's mask, as one word: bytes would take a register each. */
template <class T>
using mask_word = std::conditional_t<
    sizeof(mask_vec<T>) == 8, uint64_t,
    std::conditional_t<sizeof(mask_vec<T>) == 4, uint32_t, uint16_t>>;

template <class T>
__device__ __forceinline__ uint4 select(uint4 words, mask_word<T> mask)
{
    vec<T> x;
    memcpy(&x, &words, sizeof x);
#pragma unroll
    for (int k = 0; k < kVec<T>; ++k)
        if (!(mask >> 8 * k & 0xff))
            x.item[k] = from_acc<T>(0);
    memcpy(&words, &x, sizeof x);
    return words;
}

/* Up to kVec<T> elements before `end`, singly: 0 where there are none. */
template <class T, bool Masked>
__device__ __forceinline__ uint4 load_words(const T *__restrict__ in,
                                            const uint8_t *__restrict__ mask,
                                            int at, int end)
{
    vec<T> x;
#pragma unroll
    for (int k = 0; k < kVec<T>; ++k) {
        bool take = at + k < end;
        if constexpr (Masked)
            take = take && mask[at + k];
        x.item[k] = take ? in[at + k] : from_acc<T>(0);
    }
    uint4 words;
    memcpy(&words, &x, sizeof x);
    return words;
}

/* Vectors at at, at + step, …: all loads of x, then all of the mask, are in
 * flight before one is used. Whole: none lies beyond `end`. */
template <class T, bool Masked, bool Whole, int Vecs>
__device__ __forceinline__ void load_vectors(const T *__restrict__ in,
                                             const uint8_t *__restrict__ mask,
                                             int at, int end, uint4 (&r)[Vecs])
{
    constexpr int kStep = 32 * kVec<T>;
    mask_word<T> m[Vecs];
#pragma unroll
    for (int j = 0; j < Vecs; ++j) {
        if constexpr (!Whole)
            r[j] = {};
        if (Whole || at + j * kStep + kVec<T> <= end)
            r[j] = __ldcs((const uint4 *)(in + at + j * kStep));
    }
    if constexpr (Masked) {
#pragma unroll
        for (int j = 0; j < Vecs; ++j) {
            m[j] = 0;
            if (Whole || at + j * kStep + kVec<T> <= end)
                m[j] = __ldcs((const mask_word<T> *)(mask + at + j * kStep));
        }
#pragma unroll
        for (int j = 0; j < Vecs; ++j)
            r[j] = select<T>(r[j], m[j]);
    }
    if constexpr (!Whole) {
        const int last = end - end % kVec<T>; /* where a part of one starts */
        if (last < end && last >= at && (last - at) % kStep == 0) {
            const uint4 part = load_words<T, Masked>(in, mask, last, end);
#pragma unroll
            for (int j = 0; j < Vecs; ++j)
                if (at + j * kStep == last)
                    r[j] = part;
        }
    }
}

template <class T>
__device__ __forceinline__ void to_items(const uint4 &words,
                                         acc_t<T> (&v)[kVec<T>])
{
    vec<T> x;
    memcpy(&x, &words, sizeof x);
#pragma unroll
    for (int k = 0; k < kVec<T>; ++k)
        v[k] = to_acc(x.item[k]);
}

template <class T>
__device__ __forceinline__ uint4 to_words(const acc_t<T> (&v)[kVec<T>])
{
    vec<T> y;
    uint4 words;
#pragma unroll
    for (int k = 0; k < kVec<T>; ++k)
        y.item[k] = from_acc<T>(v[k]);
    memcpy(&words, &y, sizeof y);
    return words;
}

/* Stores up to kVec<T> elements, singly: nothing from `end` on. */
template <class T>
__device__ __forceinline__ void store_singly(T *out, int at, int end,
                                             const uint4 &words)
{
    vec<T> y;
    memcpy(&y, &words, sizeof y);
#pragma unroll
    for (int k = 0; k < kVec<T>; ++k)
        if (at + k < end)
            out[at + k] = y.item[k];
}

/* The first few elements, before the first 16-byte boundary: fewer than a
 * vector. Returns their sum, with `out` writes their scan. */
template <class T, class Scan>
__device__ __forceinline__ acc_t<T> scan_head(const T *__restrict__ in,
                                              const uint8_t *__restrict__ mask,
                                              T *out, int head, acc_t<T> carry)
{
    acc_t<T> v[kVec<T>];
    load_singly<T, Scan::masked>(in, mask, 0, head, v);
    const acc_t<T> sum = items_sum(v);
    items_scan<Scan>(v, carry);
    if (out)
        for (int k = 0; k < head; ++k)
            out[k] = from_acc<T>(v[k]);
    return sum;
}

/* Hides from the compiler that it has converted these words before, so that it
 * does so again rather than keep twice the registers. `zero` is 0, unknown to
 * it. */
__device__ __forceinline__ void forget(uint4 &words, unsigned zero)
{
    words.x ^= zero;
    words.y ^= zero;
    words.z ^= zero;
    words.w ^= zero;
}

#endif
