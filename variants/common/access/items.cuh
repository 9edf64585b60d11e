/* SPDX-License-Identifier: MIT
 *
 * Loads and stores of a thread's elements as accumulators, in vectors where
 * aligned and singly elsewhere. Elements past the end and masked-off ones are
 * loaded as the identity.
 */
#ifndef VARIANTS_COMMON_ACCESS_ITEMS_CUH
#define VARIANTS_COMMON_ACCESS_ITEMS_CUH

#include <limits.h>

#include "variants/common/access/vector.cuh"

/* Vectors per thread of a tile that has Items elements per thread: half as many
 * of 8-byte elements, which take two registers each. */
template <class T, int Items>
constexpr int kTileVectors = (sizeof(T) == 8 ? Items / 2 : Items) / kVec<T>;

/* True if lines of `axis` elements all start on a 16-byte boundary (and their
 * masks, if any, on kVec<T> bytes). */
template <class T>
__host__ __device__ __forceinline__ bool
lines_aligned(const void *in, const uint8_t *mask, const void *out,
              int64_t axis)
{
    return axis % kVec<T> == 0 && (uintptr_t)in % 16 == 0 &&
           (uintptr_t)out % 16 == 0 && (uintptr_t)mask % kVec<T> == 0;
}

/* The same for a scan's accesses of kVecOf<Op> elements and results. */
template <class Op>
bool rows_aligned(const struct problem *p, int64_t row)
{
    constexpr int V = kVecOf<Op>;
    return row % V == 0 &&
           (uintptr_t)p->in % (V * sizeof(typename Op::element)) == 0 &&
           (uintptr_t)p->out % (V * sizeof(output_of<Op>)) == 0 &&
           (uintptr_t)p->mask % V == 0;
}

/* True if in, out and mask have their 16-byte boundaries (kVec<T> bytes of
 * mask) at the same elements, so that unaligned lines can use vectors too. */
inline bool same_boundaries(const struct problem *p)
{
    const uintptr_t bytes = dtype_bytes(p->dtype), wide = 16 / bytes;
    const uintptr_t off = (uintptr_t)p->in / bytes % wide;
    return (uintptr_t)p->out / bytes % wide == off &&
           (!p->mask || (uintptr_t)p->mask % wide == off);
}

/* Loads up to kVec<T> elements from `at` on with single accesses. */
template <class Op, bool Masked, class T>
__device__ __forceinline__ void
load_singly(const T *__restrict__ in, const uint8_t *__restrict__ mask,
            int64_t at, int64_t end, typename Op::acc (&v)[kVec<T>])
{
#pragma unroll
    for (int k = 0; k < kVec<T>; ++k) {
        bool take = at + k < end;
        if constexpr (Masked)
            take = take && mask[at + k];
        v[k] = take ? Op::lift(in[at + k]) : Op::identity();
    }
}

/* As words, with pads for the identity and before `low`. */
template <class Op, bool Masked, class T>
__device__ __forceinline__ uint4 load_words(const T *__restrict__ in,
                                            const uint8_t *__restrict__ mask,
                                            int at, int end, int low = INT_MIN)
{
    vec<T> x;
#pragma unroll
    for (int k = 0; k < kVec<T>; ++k) {
        bool take = at + k >= low && at + k < end;
        if constexpr (Masked)
            take = take && mask[at + k];
        x.item[k] = take ? in[at + k] : Op::pad();
    }
    uint4 words;
    memcpy(&words, &x, sizeof x);
    return words;
}

template <class T>
__device__ __forceinline__ void
store_words(T *out, int at, int end, const uint4 &words, int low = INT_MIN)
{
    vec<T> y;
    memcpy(&y, &words, sizeof y);
#pragma unroll
    for (int k = 0; k < kVec<T>; ++k)
        if (at + k >= low && at + k < end)
            out[at + k] = y.item[k];
}

/* load_singly() with one access, where in + at is aligned and end - at a
 * multiple of kVec<T> (see lines_aligned()). No branch, so that the loads of
 * several vectors can all be in flight. */
template <class Op, bool Masked, class T>
__device__ __forceinline__ void
load_vector(const T *__restrict__ in, const uint8_t *__restrict__ mask,
            int64_t at, int64_t end, typename Op::acc (&v)[kVec<T>])
{
    auto x = pad_vec<Op>();
    mask_vec<T> m = {};
    if (at < end)
        x = *reinterpret_cast<const vec<T> *>(in + at);
    if (Masked && at < end)
        m = *reinterpret_cast<const mask_vec<T> *>(mask + at);
#pragma unroll
    for (int k = 0; k < kVec<T>; ++k)
        v[k] = !Masked || m.item[k] ? Op::lift(x.item[k]) : Op::identity();
}

/* Vecs vectors at at, at + stride, …; `aligned` is uniform. */
template <class Op, bool Masked, int Vecs, class T>
__device__ __forceinline__ void
load_items(const T *__restrict__ in, const uint8_t *__restrict__ mask,
           int64_t at, int stride, int64_t end, bool aligned,
           typename Op::acc (&v)[Vecs][kVec<T>])
{
    if (aligned) {
#pragma unroll
        for (int j = 0; j < Vecs; ++j)
            load_vector<Op, Masked>(in, mask, at + j * stride, end, v[j]);
    } else {
#pragma unroll
        for (int j = 0; j < Vecs; ++j)
            load_singly<Op, Masked>(in, mask, at + j * stride, end, v[j]);
    }
}

template <class Op, bool Masked, class T>
__device__ __forceinline__ void
load_items(const T *__restrict__ in, const uint8_t *__restrict__ mask,
           int64_t at, int64_t end, bool aligned,
           typename Op::acc (&v)[kVec<T>])
{
    if (aligned)
        load_vector<Op, Masked>(in, mask, at, end, v);
    else
        load_singly<Op, Masked>(in, mask, at, end, v);
}

/* Stores one vector at out + at; nothing at or past `end`. */
template <class Op, class T>
__device__ __forceinline__ void
store_items(T *__restrict__ out, int64_t at, int64_t end, bool aligned,
            const typename Op::acc (&v)[kVec<T>])
{
    if (aligned) {
        vec<T> y;
#pragma unroll
        for (int k = 0; k < kVec<T>; ++k)
            y.item[k] = Op::lower(v[k]);
        if (at < end)
            *reinterpret_cast<vec<T> *>(out + at) = y;
        return;
    }
#pragma unroll
    for (int k = 0; k < kVec<T>; ++k)
        if (at + k < end)
            out[at + k] = Op::lower(v[k]);
}

#endif
