/* SPDX-License-Identifier: MIT
 *
 * What the parts of the fast look (kernels_glance.cu) share: what a thread is
 * given, what it holds, and what it has found. For nvcc only, as all
 * glance_*.h.
 */
#ifndef HARNESS_DEVICE_GLANCE_H
#define HARNESS_DEVICE_GLANCE_H

#include "harness/device/kernels_walk.h"

/* Elements that a thread looks at together; a warp's make a chunk. */
constexpr int kItems = 8;
static_assert(kItems * 32 == kChunk, "a warp looks at a chunk at a time");

constexpr unsigned kAll = 0xffffffffu;

/* Rounding errors of the reference are below 2^-29 of a chunk's magnitude in
 * the units that errors are reported in, bounds are 2 or more. */
constexpr double kMargin = 1 - 0x1p-20;

/* What all threads are given. */
struct glance_params {
    walk w;
    const total *prefixes, *whole;
    bool judged, exclusive, cancelling;
    double limit; /* errors beyond it are doubtful */
};

/* What a thread has found. */
struct glance_result {
    unsigned long long checked;
    double max_error;
    unsigned word;
    bool doubt;
};

/* ------------------------------------------------------------- elements */

template <enum dtype D>
struct bits_of {
    using type = uint16_t;
};
template <>
struct bits_of<DTYPE_F32> {
    using type = uint32_t;
};
template <>
struct bits_of<DTYPE_F64> {
    using type = uint64_t;
};

/* A thread's elements, in ascending or walk order; bit j of `valid`: element j
 * is there. */
template <enum dtype D>
struct elements {
    typename bits_of<D>::type x[kItems], y[kItems];
    uint8_t mask[kItems];
    unsigned valid;
};

template <enum dtype D>
__device__ __forceinline__ auto value(typename bits_of<D>::type bits)
{
    if constexpr (D == DTYPE_F64)
        return __longlong_as_double((long long)bits);
    else if constexpr (D == DTYPE_F32)
        return __uint_as_float(bits);
    else if constexpr (D == DTYPE_BF16)
        return bf16_to_float(bits);
    else {
        float wide; /* one instruction for f16_to_float() */
        asm("cvt.f32.f16 %0, %1;" : "=f"(wide) : "h"(bits));
        return wide;
    }
}

/* A level, or a difference of levels. */
template <enum dtype D>
struct level_of {
    using type = int;
};
template <>
struct level_of<DTYPE_F64> {
    using type = long long;
};
template <enum dtype D>
using level_t = typename level_of<D>::type;

/* The bits of a level; every dtype holds levels exactly. */
template <enum dtype D>
__device__ __forceinline__ typename bits_of<D>::type
bits_of_step(level_t<D> step)
{
    if constexpr (D == DTYPE_F64)
        return (uint64_t)__double_as_longlong((double)step);
    else if constexpr (D == DTYPE_F32)
        return __float_as_uint((float)step);
    else if constexpr (D == DTYPE_BF16)
        return (uint16_t)(__float_as_uint((float)step) >> 16);
    else {
        uint16_t half;
        asm("cvt.rn.f16.f32 %0, %1;" : "=h"(half) : "f"((float)step));
        return half;
    }
}

/* Elements at … at + count - 1 of an array: in vectors, where it can be. */
template <class T>
__device__ __forceinline__ void load(const T *array, int64_t at, int count,
                                     T (&v)[kItems])
{
    constexpr int kBytes = sizeof v < 16 ? (int)sizeof v : 16;
    struct alignas(kBytes) vector {
        T item[kBytes / sizeof(T)];
    };
    constexpr int kEach = kBytes / (int)sizeof(T);
    const T *from = array + at;
    if (count == kItems && (uintptr_t)from % kBytes == 0) {
#pragma unroll
        for (int k = 0; k < kItems / kEach; ++k) {
            const vector part = ((const vector *)from)[k];
#pragma unroll
            for (int j = 0; j < kEach; ++j)
                v[k * kEach + j] = part.item[j];
        }
        return;
    }
#pragma unroll
    for (int j = 0; j < kItems; ++j)
        v[j] = j < count ? from[j] : T(0);
}

template <class T>
__device__ __forceinline__ void reverse(T (&v)[kItems])
{
#pragma unroll
    for (int j = 0; j < kItems / 2; ++j) {
        const T other = v[j];
        v[j] = v[kItems - 1 - j];
        v[kItems - 1 - j] = other;
    }
}

#endif
