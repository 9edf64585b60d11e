/* SPDX-License-Identifier: MIT
 *
 * The elements that a thread of the quick check (quick_check.cu) holds, and its
 * results. For nvcc only.
 */
#ifndef HARNESS_DEVICE_QUICK_CHECK_H
#define HARNESS_DEVICE_QUICK_CHECK_H

#include "harness/device/kernels_walk.h"

/* Elements that a thread checks together; those of a warp are a chunk. */
constexpr int kItems = 8;
static_assert(kItems * 32 == kChunk, "a warp checks a chunk at a time");

constexpr unsigned kAll = 0xffffffffu;

/* Rounding errors of the reference are below 2^-29 of a chunk's magnitude in
 * the units that errors are reported in, bounds are 2 or more. */
constexpr double kMargin = 1 - 0x1p-20;

/* Parameters of both kernels. */
struct check_params {
    walk w;
    const total *prefixes, *whole;
    bool judged, exclusive, cancelling;
    double limit; /* larger errors are doubtful */
};

/* One thread's results. */
struct findings {
    unsigned long long checked;
    double max_error;
    unsigned word;
    bool doubt;
};

/* A thread's elements, in ascending order or that of the walk. Bit j of `valid`
 * is set if element j exists. */
template <enum dtype D>
struct elements {
    bits_t<D> x[kItems], y[kItems];
    uint8_t mask[kItems];
    unsigned valid;
};

template <enum dtype D>
__device__ __forceinline__ auto value(bits_t<D> bits)
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
using level_t = std::conditional_t<D == DTYPE_F64, long long, int>;

/* The bits of a level, which every dtype holds exactly. */
template <enum dtype D>
__device__ __forceinline__ bits_t<D> bits_of_step(level_t<D> step)
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

/* Loads elements at … at + count - 1 of an array, in vectors where possible. */
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

/* ------------------------------------------------------------- results */

/* Smaller errors than the largest of all warps are not worked out exactly. A
 * warp reads it at every kReadsEvery-th chunk, a thread kReadsEvery times per
 * chunk, as all of them read the same address. */
constexpr int kReadsEvery = 4;

static __device__ __forceinline__ void read_max_error(const gathered *g,
                                                      findings *seen)
{
    const unsigned long long bits =
        *(const volatile unsigned long long *)&g->max_error_bits;
    seen->max_error =
        fmax(seen->max_error, __longlong_as_double((long long)bits));
}

/* Read's checksum of the elements. */
template <enum dtype D>
__device__ __forceinline__ unsigned word_of(const elements<D> &e, int64_t index,
                                            int64_t inner)
{
    unsigned word = 0;
#pragma unroll
    for (int j = 0; j < kItems; ++j)
        if (e.valid >> j & 1)
            word ^= verify_word(D, e.x[j], index + j * inner);
    return word;
}

/* Adds a block's results to the whole. */
static __device__ void gather_results(const findings &seen, gathered *g)
{
    __shared__ unsigned long long checked;
    __shared__ unsigned word;
    if (threadIdx.x == 0) {
        checked = 0;
        word = 0;
    }
    const int doubts = __syncthreads_or(seen.doubt);
    unsigned long long sum = seen.checked;
    unsigned mine = seen.word;
    for (int lanes = 16; lanes; lanes /= 2) {
        sum += __shfl_xor_sync(kAll, sum, lanes);
        mine ^= __shfl_xor_sync(kAll, mine, lanes);
    }
    if (threadIdx.x % 32 == 0) {
        atomicAdd(&checked, sum);
        atomicXor(&word, mine);
    }
    __syncthreads();
    if (threadIdx.x)
        return;
    if (checked)
        atomicAdd(&g->checked, checked);
    if (word)
        atomicXor(&g->expected_word, word);
    if (doubts)
        g->doubts = 1;
}

#endif
