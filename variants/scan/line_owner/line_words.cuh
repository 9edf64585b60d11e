/* SPDX-License-Identifier: MIT
 *
 * A line's vectors in registers as the words that were loaded, and the scan of
 * a block of them. Conversion on load would wait for each, and would double the
 * registers of halves.
 *
 * Loads and stores have L2 eviction hints: see l2_hints.cuh.
 */
#ifndef VARIANTS_SCAN_LINE_OWNER_LINE_WORDS_CUH
#define VARIANTS_SCAN_LINE_OWNER_LINE_WORDS_CUH

#include "variants/common/kernel.cuh"
#include "variants/common/access/l2_hints.cuh"

/* Loads up to kVec<T> elements before `end` singly. */
template <class Op, bool Masked, class T>
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
        x.item[k] = take ? in[at + k] : Op::pad();
    }
    uint4 words;
    memcpy(&words, &x, sizeof x);
    return words;
}

/* Vectors at at, at + step, …: all loads of x, then of the mask, are issued
 * before the first use. Whole: none lies beyond `end`. */
template <class Op, bool Masked, bool Whole, int Vecs, class T>
__device__ __forceinline__ void load_vectors(const T *__restrict__ in,
                                             const uint8_t *__restrict__ mask,
                                             int at, int end, uint4 (&r)[Vecs])
{
    constexpr int kStep = 32 * kVec<T>;
    const uint64_t policy = evict_last_policy();
    mask_word<T> m[Vecs];
#pragma unroll
    for (int j = 0; j < Vecs; ++j) {
        if constexpr (!Whole)
            r[j] = pad_words<Op, uint4>();
        if (Whole || at + j * kStep + kVec<T> <= end)
            r[j] = read_kept((const uint4 *)(in + at + j * kStep), policy);
    }
    if constexpr (Masked) {
#pragma unroll
        for (int j = 0; j < Vecs; ++j) {
            m[j] = 0;
            if (Whole || at + j * kStep + kVec<T> <= end)
                m[j] = *(const mask_word<T> *)(mask + at + j * kStep);
        }
#pragma unroll
        for (int j = 0; j < Vecs; ++j)
            r[j] = select<Op>(r[j], m[j]);
    }
    if constexpr (!Whole) {
        const int last = end - end % kVec<T>; /* where a part of one starts */
        if (last < end && last >= at && (last - at) % kStep == 0) {
            const uint4 part = load_words<Op, Masked>(in, mask, last, end);
#pragma unroll
            for (int j = 0; j < Vecs; ++j)
                if (at + j * kStep == last)
                    r[j] = part;
        }
    }
}

/* The same; without `vectors`, all in single elements. */
template <class Op, bool Masked, bool Whole, int Vecs, class T>
__device__ __forceinline__ void
load_part(const T *__restrict__ in, const uint8_t *__restrict__ mask, int at,
          int end, bool vectors, uint4 (&r)[Vecs])
{
    constexpr int kStep = 32 * kVec<T>;
    if (Whole || vectors) {
        load_vectors<Op, Masked, Whole>(in, mask, at, end, r);
    } else {
#pragma unroll
        for (int j = 0; j < Vecs; ++j)
            r[j] = load_words<Op, Masked>(in, mask, at + j * kStep, end);
    }
}

/* Stores up to kVec<T> elements before `end` singly. */
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

/* The elements before the first 16-byte boundary, fewer than a vector. Returns
 * their reduction and, unless `out` is NULL, stores their scan. */
template <class T, class Scan>
__device__ __forceinline__ acc_of<Scan, T>
scan_head(const T *__restrict__ in, const uint8_t *__restrict__ mask, T *out,
          int head, acc_of<Scan, T> carry)
{
    using Op = op_of<Scan, T>;
    acc_of<Scan, T> v[kVec<T>];
    load_singly<Op, Scan::masked>(in, mask, 0, head, v);
    const acc_of<Scan, T> sum = items_reduce<Op, Scan::reverse>(v);
    items_scan<Scan, Op>(v, carry);
    if (out)
        for (int k = 0; k < head; ++k)
            out[k] = Op::lower(v[k]);
    return sum;
}

/* A line's vectors in a block: a warp owns `rows` * 32 consecutive ones, and
 * vector j of a lane lies 32 vectors after its vector j - 1, so that each
 * access covers 512 contiguous bytes. */
template <class T, class Scan, int Threads, int Vecs>
struct block_scan {
    using Op = op_of<Scan, T>;
    using Acc = typename Op::acc;
    static constexpr int kStep = 32 * kVec<T>;

    /* upsweep and spine: *total is the line's reduction, before[j] the
     * exclusive prefix of vector j in its warp, in walk order. Returns that of
     * the warp. */
    static __device__ __forceinline__ Acc prefixes(const uint4 (&r)[Vecs],
                                                   Acc (&before)[Vecs],
                                                   Acc *totals, Acc *total)
    {
        Acc warp_total = Op::identity();
#pragma unroll
        for (int step = 0; step < Vecs; ++step) {
            const int j = Scan::reverse ? Vecs - 1 - step : step;
            Acc v[kVec<T>], row_total;
            to_items<Op>(r[j], v);
            before[j] =
                Op::combine(warp_total, warp_prefix<Op, Scan::reverse>(
                                            items_reduce<Op, Scan::reverse>(v),
                                            &row_total));
            warp_total = Op::combine(warp_total, row_total);
        }
        return warps_prefix<Op, Scan::reverse, Threads>(warp_total, totals,
                                                        total);
    }

    /* downsweep of one vector */
    static __device__ __forceinline__ uint4 scan_words(uint4 words, Acc carry,
                                                       unsigned zero)
    {
        Acc v[kVec<T>];
        if constexpr (is_half<T>)
            forget(words, zero);
        to_items<Op>(words, v);
        items_scan<Scan, Op>(v, carry);
        return to_words<Op>(v);
    }
};

#endif
