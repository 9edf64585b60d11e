/* SPDX-License-Identifier: MIT
 *
 * The elements that a thread of the quick check (quick_check.cu) holds, how it
 * judges them, and its results. For nvcc only.
 */
#pragma once

#include "harness/device/kernels_walk.h"

/* Elements that a thread checks together; those of a warp are a chunk. */
constexpr int kItems = 8;
static_assert(kItems * 32 == kChunk, "a warp checks a chunk at a time");

constexpr unsigned kAll = 0xffffffffu;

/* Share of the bound up to which an error raises no doubt. The reference's own
 * rounding is below 2^-29 in the units of errors, and bounds are 2 or more. */
constexpr double kMargin = 1 - 0x1p-20;

/* Parameters of both kernels. */
struct check_params {
    walk w;
    const total *prefixes, *whole;
    bool judged, exclusive, cancelling, exact;
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

/* Only errors above the largest one so far are computed exactly. All warps
 * read it from one address: a warp at every kReadsEvery-th chunk, a thread with
 * a chunk of its own kReadsEvery times per chunk. */
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

/* --- the input is generated again, and compared --- */

/* The input's change in the piece of element a, which may be beyond an end of
 * the line. */
static __device__ __forceinline__ struct input_change
change_at(const struct input_line &l, int64_t a)
{
    const int64_t piece =
        input_piece_of(l, min(max(a, (int64_t)0), l.axis - 1));
    return input_change_in(l, piece);
}

/* A bit for each element of the input, at places a, a + step …, that differs
 * from its definition. The distribution is chosen once for all of them. */
constexpr int kBits = 3, kExact = 4; /* after the real ones */
template <enum dtype D, bool Masked, int Distribution>
__device__ __forceinline__ unsigned
mismatch_drawn(struct input_line l, int64_t a, int64_t index, int step,
               const elements<D> &e)
{
    l.input.kind = Distribution == kBits    ? INPUT_BITS
                   : Distribution == kExact ? INPUT_EXACT
                                            : INPUT_REAL;
    l.masked = Masked;
    l.distribution = Distribution;
    if (Distribution < kBits)
        l.mask = MASK_NOISE;
    if (D != DTYPE_F16)
        l.scale = 1;
    /* They lie in two pieces at most. */
    static_assert(1 << LEAST_PIECE_BITS >= kItems);
    const int64_t end = a + (kItems - 1) * step;
    const struct input_change first = change_at(l, a), last = change_at(l, end);
    unsigned mismatches = 0;
#pragma unroll
    for (int j = 0; j < kItems; ++j) {
        const int64_t place = a + j * step;
        const int64_t at = index + j * step * l.inner;
        const bool changed = (place >= first.first && place <= first.last) ||
                             (place >= last.first && place <= last.last);
        const uint64_t bits = input_bits_as(D, l, place, (uint64_t)at, changed);
        if (bits != e.x[j] ||
            (Masked && e.mask[j] != input_mask(l, place, (uint64_t)at)))
            mismatches |= 1u << j;
    }
    return mismatches & e.valid;
}

template <enum dtype D, bool Masked, bool Scan>
__device__ __forceinline__ unsigned
mismatch_input(const struct input_line &l, int64_t a, int64_t index, int step,
               const elements<D> &e)
{
    if (!Scan && l.input.kind == INPUT_BITS)
        return mismatch_drawn<D, Masked, kBits>(l, a, index, step, e);
    if (l.input.kind == INPUT_EXACT)
        return mismatch_drawn<D, Masked, kExact>(l, a, index, step, e);
    if (l.distribution == 1)
        return mismatch_drawn<D, Masked, 1>(l, a, index, step, e);
    if (l.distribution == 2 && a < kItems) /* the head is near */
        return mismatch_drawn<D, Masked, 2>(l, a, index, step, e);
    return mismatch_drawn<D, Masked, 0>(l, a, index, step, e);
}

template <enum dtype D, bool Masked>
__device__ __forceinline__ double term(const elements<D> &e, int j)
{
    return Masked && !e.mask[j] ? 0.0 : (double)value<D>(e.x[j]);
}

/* A bit for each output that is not the input, or 0 where masked off. */
template <enum dtype D, bool Masked>
__device__ __forceinline__ unsigned mismatch_moved(const elements<D> &e)
{
    unsigned mismatches = 0;
#pragma unroll
    for (int j = 0; j < kItems; ++j) {
        if (e.y[j] != (Masked && !e.mask[j] ? 0 : e.x[j]))
            mismatches |= 1u << j;
    }
    return mismatches & e.valid;
}

template <enum dtype D>
__device__ __forceinline__ total plus(total sum, double x)
{
    if constexpr (D == DTYPE_F64)
        sum.sum = two_sum_add(sum.sum, x);
    else
        sum.sum.high += x; /* exact in a chunk */
    sum.magnitude += fabs(x);
    return sum;
}

template <enum dtype D, bool Masked>
__device__ __forceinline__ total total_of(const elements<D> &e)
{
    total sum = {};
#pragma unroll
    for (int j = 0; j < kItems; ++j)
        sum = plus<D>(sum, term<D, Masked>(e, j));
    return sum;
}

/* The sum over the lanes before this one. */
template <enum dtype D>
__device__ __forceinline__ total lanes_before(total sum)
{
    const int lane = threadIdx.x % 32;
    const auto from_below = [](total t, int lanes) {
        t.sum.high = __shfl_up_sync(kAll, t.sum.high, lanes);
        if constexpr (D == DTYPE_F64)
            t.sum.low = __shfl_up_sync(kAll, t.sum.low, lanes);
        t.magnitude = __shfl_up_sync(kAll, t.magnitude, lanes);
        return t;
    };
#pragma unroll
    for (int lanes = 1; lanes < 32; lanes *= 2) {
        const total other = from_below(sum, lanes);
        if (lane < lanes)
            continue;
        if constexpr (D == DTYPE_F64)
            sum = total_join(other, sum);
        else {
            sum.sum.high += other.sum.high;
            sum.magnitude += other.magnitude;
        }
    }
    const total before = from_below(sum, 1);
    return lane ? before : total{};
}

/* Calls judge(j, r, A) for every element; `before` is the sum in front. */
template <enum dtype D, bool Masked, class Judge>
__device__ __forceinline__ void
references(const check_params &s, const elements<D> &e, const total &before,
           double whole, Judge judge)
{
    total sum = {}; /* f64: with what came before, else without */
    if constexpr (D == DTYPE_F64)
        sum = before;
#pragma unroll
    for (int j = 0; j < kItems; ++j) {
        const total upto = plus<D>(sum, term<D, Masked>(e, j));
        const total part = s.exclusive ? sum : upto;
        sum = upto;
        double r, magnitude;
        if constexpr (D == DTYPE_F64) {
            r = two_sum_value(part.sum);
            magnitude = part.magnitude;
        } else {
            r = before.sum.high + (before.sum.low + part.sum.high);
            magnitude = before.magnitude + part.magnitude;
        }
        judge(j, r, s.cancelling ? whole : magnitude);
    }
}

/* The sum in front of a chunk. */
static __device__ __forceinline__ total prefix_of(const check_params &s,
                                                  int64_t item)
{
    return s.prefixes ? s.prefixes[item] : total{};
}

template <enum dtype D>
__device__ __forceinline__ double whole_of(const check_params &s,
                                           const struct input_line &l)
{
    if (!s.cancelling)
        return 0;
    const struct shape shape = s.w.p.shape;
    if (s.whole)
        return s.whole[l.line].magnitude;
    return span_total<D>(s.w, l.line / shape.inner, l.line % shape.inner, 0,
                         shape.axis)
        .magnitude;
}

template <enum dtype D>
constexpr bits_t<D> kNegativeZero = (bits_t<D>)((uint64_t)1
                                                << (8 * sizeof(bits_t<D>) - 1));

/* Out of line: hardly ever called. */
template <enum dtype D>
__device__ __noinline__ double error_of(bool exact, double y, double r,
                                        double magnitude)
{
    return rounding_error(D, exact, y, r, magnitude);
}

/* Judges a scan's elements. Called by whole warps. */
template <enum dtype D, bool Masked>
__device__ __forceinline__ void
judge_scan(const check_params &s, const elements<D> &e, const total &before,
           double whole, findings *seen, unsigned long long *max_error_bits)
{
    const double floor =
        fmin(seen->max_error, s.limit) * kMargin * dtype_acc_roundoff(D);
    const double roundoff = s.exact ? 0 : dtype_roundoff(D);
    unsigned mismatches = 0;
    references<D, Masked>(s, e, before, whole, [&](int j, double r, double A) {
        const double error = fabs((double)value<D>(e.y[j]) - r);
        const double excess = fma(-roundoff, fabs(r), error);
        const bool negative_zero = e.y[j] == kNegativeZero<D> && r == 0;
        if (!(fma(-floor, A, excess) <= 0) || negative_zero) /* NaN too */
            mismatches |= 1u << j;
    });
    mismatches &= e.valid;
    if (!__any_sync(kAll, mismatches != 0))
        return;
    references<D, Masked>(s, e, before, whole, [&](int j, double r, double A) {
        if (!(mismatches >> j & 1))
            return;
        const double error =
            error_of<D>(s.exact, (double)value<D>(e.y[j]), r, A);
        seen->max_error = fmax(seen->max_error, error);
        seen->doubt |= !(error <= s.limit);
    });
    for (int lanes = 16; lanes; lanes /= 2)
        seen->max_error = fmax(seen->max_error,
                               __shfl_xor_sync(kAll, seen->max_error, lanes));
    if (threadIdx.x % 32 == 0 && seen->max_error > 0)
        atomicMax(max_error_bits,
                  (unsigned long long)__double_as_longlong(seen->max_error));
}
