/* SPDX-License-Identifier: MIT
 *
 * A warp's part of a line, held in shared memory as it lies in the tensor and
 * scanned there in place. Nobody but the warp touches it, so that no barrier
 * of the block guards it: only the warps' sums meet, in warps_prefix().
 * Every lane of the warp calls these functions, with equal arguments.
 */
#ifndef VARIANTS_COMMON_SHARED_SECTION_CUH
#define VARIANTS_COMMON_SHARED_SECTION_CUH

#include "variants/common/async_copy.cuh"
#include "variants/common/bulk_copy.cuh"
#include "variants/common/l2_hints.cuh"

/* Elements in one access of a warp: 512 bytes, without bank conflicts. */
template <class T>
constexpr int kRow = 32 * kVec<T>;

/* A section's elements here and there. x and m have room for whole vectors. */
template <class T>
struct section {
    T *x; /* in shared memory, as m */
    uint8_t *m;
    const T *in;
    const uint8_t *mask;
    T *out;
    int count;
};

/* ----------------------------------------------------------- loads, stores */

/* Asks for the section by bulk copies; also if it is empty, so that phases can
 * be counted. */
template <bool Masked, class T>
__device__ __forceinline__ void section_ask(const section<T> &s,
                                            uint64_t *barrier)
{
    if (threadIdx.x % 32 != 0)
        return;
    bulk_expect(barrier, s.count * (unsigned)(sizeof(T) + Masked));
    if (s.count == 0)
        return;
    bulk_load(s.x, s.in, s.count * (unsigned)sizeof(T), barrier);
    if (Masked)
        bulk_load(s.m, s.mask, s.count, barrier);
}

/* Brings the section, where its boundaries allow it: by a bulk copy or, below
 * compute capability 9.0, by the warp's copies of vectors. */
template <bool Masked, class T>
__device__ __forceinline__ void
section_bring(const section<T> &s, uint64_t *barrier, unsigned *parity)
{
#if HAS_BULK_COPY
    section_ask<Masked>(s, barrier);
    bulk_wait(barrier, *parity);
    *parity ^= 1;
#else
    const uint64_t policy = evict_last_policy();
    const int lane = threadIdx.x % 32;
    async_copy_run<32>(s.x, s.in, s.count / kVec<T>, policy, lane);
    if (Masked)
        async_copy_run<32>(s.m, s.mask, s.count / 16, policy, lane);
    async_wait();
    __syncwarp();
#endif
}

/* Loads it in single elements, as bulk copies need 16-byte boundaries. */
template <bool Masked, class T>
__device__ __forceinline__ void section_load_singly(const section<T> &s)
{
    const int lane = threadIdx.x % 32;
    const int padded = (s.count + kVec<T> - 1) / kVec<T> * kVec<T>;
#pragma unroll 8
    for (int at = lane; at < s.count; at += 32) {
        s.x[at] = s.in[at];
        if (Masked)
            s.m[at] = s.mask[at];
    }
    if (s.count + lane < padded)
        s.x[s.count + lane] = from_acc<T>(0);
    __syncwarp();
}

/* Stores it. Bulk copies are only asked for: see sections_left(). */
template <class T>
__device__ __forceinline__ void section_store(const section<T> &s, bool bulk)
{
    if (bulk)
        bulk_fence();
    __syncwarp();
    if (bulk) {
#if HAS_BULK_COPY
        if (threadIdx.x % 32 == 0 && s.count > 0)
            bulk_store(s.out, s.x, s.count * (unsigned)sizeof(T));
#else
#pragma unroll 4
        for (int at = threadIdx.x % 32 * kVec<T>; at < s.count; at += kRow<T>)
            write_first(s.out + at, *(const uint4 *)(s.x + at));
#endif
        return;
    }
#pragma unroll 8
    for (int at = threadIdx.x % 32; at < s.count; at += 32)
        s.out[at] = s.x[at];
    __syncwarp();
}

/* ------------------------------------------------------------------- scans */

/* kVec<T> mask bytes as one word: a struct of bytes would be read one by one,
 * as one of halves would. */
template <class T>
using mask_bits =
    std::conditional_t<kVec<T> == 8, uint64_t,
                       std::conditional_t<kVec<T> == 4, uint32_t, uint16_t>>;

/* The vector at index `at` of the section: 0 outside, and where masked off. */
template <bool Masked, class T>
__device__ __forceinline__ void section_vector(const section<T> &s, int at,
                                               acc_t<T> (&v)[kVec<T>])
{
    uint4 words = {};
    mask_bits<T> m = 0;
    vec<T> x;
    if (at < s.count) {
        words = *(const uint4 *)(s.x + at);
        if constexpr (Masked)
            m = *(const mask_bits<T> *)(s.m + at);
    }
    memcpy(&x, &words, sizeof x);
#pragma unroll
    for (int k = 0; k < kVec<T>; ++k)
        v[k] = !Masked || (m >> 8 * k & 0xff) ? to_acc(x.item[k]) : acc_t<T>(0);
}

/* upsweep: the section's sum. */
template <class Scan, class T>
__device__ __forceinline__ acc_t<T> section_sum(const section<T> &s)
{
    acc_t<T> sum = 0;
#pragma unroll 4
    for (int at = threadIdx.x % 32 * kVec<T>; at < s.count; at += kRow<T>) {
        acc_t<T> v[kVec<T>];
        section_vector<Scan::masked>(s, at, v);
        sum += items_sum(v);
    }
#pragma unroll
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_xor_sync(kWholeWarp, sum, step);
    return sum;
}

/* Scans Rows rows in place, the first in walk order at index `at` of this
 * lane, and adds their sum to *carry. All are read before the first is
 * written: a store holds up the loads behind it. */
template <class Scan, int Rows, class T>
__device__ __forceinline__ void scan_rows(const section<T> &s, int at,
                                          acc_t<T> *carry)
{
    constexpr int kStep = Scan::reverse ? -kRow<T> : kRow<T>;
    acc_t<T> v[Rows][kVec<T>], before[Rows];
#pragma unroll
    for (int j = 0; j < Rows; ++j)
        section_vector<Scan::masked>(s, at + j * kStep, v[j]);
#pragma unroll
    for (int j = 0; j < Rows; ++j) {
        acc_t<T> row_total;
        before[j] =
            *carry + warp_prefix<Scan::reverse>(items_sum(v[j]), &row_total);
        *carry += row_total;
    }
#pragma unroll
    for (int j = 0; j < Rows; ++j) {
        items_scan<Scan>(v[j], before[j]);
        if (at + j * kStep < s.count)
            *(uint4 *)(s.x + at + j * kStep) = to_words<T>(v[j]);
    }
}

/* downsweep, in place, `carry` having come before. */
template <class Scan, class T>
__device__ __forceinline__ void section_scan(const section<T> &s,
                                             acc_t<T> carry)
{
    constexpr int kBatch = sizeof(T) == 4 ? 4 : 2;
    constexpr int kStep = Scan::reverse ? -kRow<T> : kRow<T>;
    int rows = (s.count + kRow<T> - 1) / kRow<T>;
    int at =
        (Scan::reverse ? rows - 1 : 0) * kRow<T> + threadIdx.x % 32 * kVec<T>;
    for (; rows >= kBatch; rows -= kBatch, at += kBatch * kStep)
        scan_rows<Scan, kBatch>(s, at, &carry);
    for (; rows > 0; --rows, at += kStep)
        scan_rows<Scan, 1>(s, at, &carry);
}

/* -------------------------------------------------------------------- host */

/* Bytes of shared memory that an element takes, with its mask. */
template <class T, bool Masked>
constexpr size_t kElemBytes = sizeof(T) + Masked;

/* All lines start on boundaries that bulk copies can serve. */
template <class T>
bool bulk_aligned(const struct problem *p)
{
    const int alignment = p->mask ? 16 : kVec<T>;
    return p->shape.axis % alignment == 0 && (uintptr_t)p->in % 16 == 0 &&
           (uintptr_t)p->out % 16 == 0 && (uintptr_t)p->mask % 16 == 0;
}

/* A variant's refuses(), where it uses bulk copies along memory. */
inline const char *bulk_refuses(const struct problem *p)
{
    const char *lacking = bulk_lacking(p);
    return lacking ? lacking : contiguous_only(p);
}

#endif
