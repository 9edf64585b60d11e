/* SPDX-License-Identifier: MIT
 *
 * A fast look at every output element, and at every element of the input: it
 * either knows that compare() would find nothing wrong, or has doubts, and
 * compare() decides. What it takes for granted is only what it has just
 * compared with the input's definition, bit by bit.
 *
 * exact  Sums of the exact input telescope to its levels (src/input.h), so
 *        nothing is added at all, and no reference is needed.
 * real   Sums start from the reference at every chunk. Except in f64, inputs
 *        are multiples of 2^-31, which a float64 adds up exactly within a
 *        chunk. An element's error is divided out only where it may be the
 *        largest so far, or beyond the bound less a margin that covers what
 *        the shorter arithmetic could lose.
 *
 * Where lines are contiguous a warp shares a chunk, so that it reads whole
 * vectors of neighbouring addresses; else every thread walks a chunk, and its
 * neighbour the next line's.
 */
#include "harness/device/kernels_walk.h"

/* Elements that a thread looks at together; a warp's make a chunk. */
constexpr int kItems = 8;
static_assert(kItems * 32 == kChunk, "a warp looks at a chunk at a time");

constexpr unsigned kAll = 0xffffffffu;

/* Rounding errors of the reference are below 2^-29 of a chunk's magnitude in
 * the units that errors are told in, bounds are 2 or more. */
constexpr double kMargin = 1 - 0x1p-20;

/* What all threads are told. */
struct scene {
    walk w;
    const total *prefixes, *whole;
    bool judged, exclusive, cancelling;
    double limit; /* errors beyond it are doubtful */
};

/* What a thread has seen. */
struct glimpse {
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

/* A difference of levels, which every dtype holds exactly, as its bits. */
template <enum dtype D>
__device__ __forceinline__ typename bits_of<D>::type bits_of_step(int step)
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

/* ---------------------------------------------------------------- exact */

/* The levels that elements a, a + 1 … end at, [0] being what comes before, and
 * which of them are kept. */
struct levels {
    int at[kItems + 1];
    unsigned kept;
};

template <bool Masked>
__device__ __forceinline__ levels levels_of(const struct input_line &l,
                                            int64_t a, int64_t index)
{
    levels found;
    found.kept = (1u << kItems) - 1;
    found.at[0] = input_level(l.line, a - 1);
#pragma unroll
    for (int j = 0; j < kItems; ++j) {
        found.at[j + 1] = input_level(l.line, a + j);
        if (Masked && !input_mask((uint64_t)(index + j * l.inner)))
            found.kept &= ~(1u << j);
    }
    return found;
}

/* The level of the last element kept before place a. */
static __device__ int kept_level(const struct input_line &l, int64_t a,
                                 int64_t index)
{
    return input_level(l.line, input_kept_before(l, a, (uint64_t)index));
}

/* Which elements are not as they should be; *before is the level of the last
 * one kept. */
template <enum dtype D, bool Masked, bool Scan>
__device__ __forceinline__ unsigned odd_exact(const scene &s, const levels &n,
                                              const elements<D> &e, int last,
                                              int *before)
{
    unsigned odd = 0;
#pragma unroll
    for (int j = 0; j < kItems; ++j) {
        const bool kept = !Masked || n.kept >> j & 1;
        const int step = n.at[j + 1] - (Masked && kept ? *before : n.at[j]);
        if (kept)
            *before = n.at[j + 1];
        if (e.x[j] != bits_of_step<D>(step) || (Masked && e.mask[j] != kept))
            odd |= 1u << j;
        const int want = !Scan         ? (kept ? step : 0)
                         : Masked      ? *before
                         : s.w.reverse ? last - n.at[j]
                         : s.exclusive ? n.at[j]
                                       : n.at[j + 1];
        if ((Scan || s.judged) && !(value<D>(e.y[j]) == want))
            odd |= 1u << j;
    }
    return odd & e.valid;
}

/* ----------------------------------------------------------------- real */

/* Which elements of the input, at places a, a + step …, are not what they
 * were. The distribution is chosen once for all of them. */
template <enum dtype D, bool Masked, int Distribution>
__device__ __forceinline__ unsigned odd_drawn(struct input_line l, int64_t a,
                                              int64_t index, int step,
                                              const elements<D> &e)
{
    l.kind = INPUT_REAL;
    l.masked = Masked;
    l.distribution = Distribution;
    if (D != DTYPE_F16)
        l.scale = 1;
    unsigned odd = 0;
#pragma unroll
    for (int j = 0; j < kItems; ++j) {
        uint64_t bits;
        const int64_t at = index + j * step * l.inner;
        input_at<D>(l, a + j * step, at, &bits);
        if (bits != e.x[j] || (Masked && e.mask[j] != input_mask((uint64_t)at)))
            odd |= 1u << j;
    }
    return odd & e.valid;
}

template <enum dtype D, bool Masked>
__device__ __forceinline__ unsigned odd_input(const struct input_line &l,
                                              int64_t a, int64_t index,
                                              int step, const elements<D> &e)
{
    if (l.distribution == 1)
        return odd_drawn<D, Masked, 1>(l, a, index, step, e);
    if (l.distribution == 2 && a < kItems) /* the head is near */
        return odd_drawn<D, Masked, 2>(l, a, index, step, e);
    return odd_drawn<D, Masked, 0>(l, a, index, step, e);
}

template <enum dtype D, bool Masked>
__device__ __forceinline__ double term(const elements<D> &e, int j)
{
    return Masked && !e.mask[j] ? 0.0 : (double)value<D>(e.x[j]);
}

/* The output is the input, selected. */
template <enum dtype D, bool Masked>
__device__ __forceinline__ unsigned odd_moves(const elements<D> &e)
{
    unsigned odd = 0;
#pragma unroll
    for (int j = 0; j < kItems; ++j) {
        const auto want = Masked && !e.mask[j] ? 0 : value<D>(e.x[j]);
        if (!(value<D>(e.y[j]) == want))
            odd |= 1u << j;
    }
    return odd & e.valid;
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

/* Calls judge(j, r, A) for every element, `before` having come before. */
template <enum dtype D, bool Masked, class Judge>
__device__ __forceinline__ void references(const scene &s, const elements<D> &e,
                                           const total &before, double whole,
                                           Judge judge)
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

/* What the reference has, where it keeps anything. */
__device__ __forceinline__ total prefix_of(const scene &s, int64_t item)
{
    return s.prefixes ? s.prefixes[item] : total{};
}

template <enum dtype D>
__device__ __forceinline__ double whole_of(const scene &s, int64_t line)
{
    if (!s.cancelling)
        return 0;
    if (s.whole)
        return s.whole[line].magnitude;
    const struct shape shape = s.w.p.shape;
    return stretch_total<D>(s.w, line / shape.inner, line % shape.inner, 0,
                            shape.axis)
        .magnitude;
}

/* Out of line: hardly ever called. */
template <enum dtype D>
__device__ __noinline__ double error_of(double y, double r, double magnitude)
{
    return verify_error(D, false, y, r, magnitude);
}

/* Judges a scan's elements. Called by whole warps. */
template <enum dtype D, bool Masked>
__device__ __forceinline__ void
judge_scan(const scene &s, const elements<D> &e, const total &before,
           double whole, glimpse *seen, unsigned long long *max_error_bits)
{
    const double floor =
        fmin(seen->max_error, s.limit) * kMargin * dtype_acc_roundoff(D);
    unsigned odd = 0;
    references<D, Masked>(s, e, before, whole, [&](int j, double r, double A) {
        const double error = fabs((double)value<D>(e.y[j]) - r);
        const double excess = fma(-dtype_roundoff(D), fabs(r), error);
        if (!(fma(-floor, A, excess) <= 0)) /* NaN too */
            odd |= 1u << j;
    });
    odd &= e.valid;
    if (!__any_sync(kAll, odd != 0))
        return;
    references<D, Masked>(s, e, before, whole, [&](int j, double r, double A) {
        if (!(odd >> j & 1))
            return;
        const double error = error_of<D>((double)value<D>(e.y[j]), r, A);
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

/* --------------------------------------------------------------- kernels */

/* Other warps' largest error: no need to look closely at smaller ones. Not for
 * every chunk: all ask the same place of the L2. */
constexpr int kHear = 4; /* chunks of a warp, or 1 / kHear of a thread's */

static __device__ __forceinline__ void hear(const gathered *g, glimpse *seen)
{
    const unsigned long long bits =
        *(const volatile unsigned long long *)&g->max_error_bits;
    seen->max_error =
        fmax(seen->max_error, __longlong_as_double((long long)bits));
}

/* What read is to find. */
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

/* One block's part of what is gathered. */
static __device__ void gather_glimpses(const glimpse &seen, gathered *g)
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

/* item = o * chunks + c */
static __device__ __forceinline__ void
split(int64_t item, int64_t items, int64_t chunks, int64_t *o, int64_t *c)
{
    if (items >> 32 == 0) {
        *o = (uint32_t)item / (uint32_t)chunks;
        *c = (uint32_t)item - (uint32_t)*o * (uint32_t)chunks;
    } else {
        *o = item / chunks;
        *c = item % chunks;
    }
}

/* Of the registers' making: two blocks of a multiprocessor, or three. */
template <enum dtype D>
constexpr int kBlocks = D == DTYPE_F64 ? 2 : 3;

/* Contiguous lines: a warp looks at a chunk. */
template <enum dtype D, bool Exact, bool Masked, bool Scan>
static __global__ __launch_bounds__(kThreads, kBlocks<D>) void glance_rows(
    const __grid_constant__ scene s, gathered *g)
{
    using bits = typename bits_of<D>::type;
    const int64_t axis = s.w.p.shape.axis, chunks = s.w.chunks;
    const int64_t items = s.w.p.shape.outer * chunks;
    const int lane = threadIdx.x % 32;
    constexpr int kWarps = kThreads / 32;
    unsigned turn = 0;
    glimpse seen = {};
    for (int64_t item = blockIdx.x * (int64_t)kWarps + threadIdx.x / 32;
         item < items; item += gridDim.x * (int64_t)kWarps) {
        int64_t line, c;
        split(item, items, chunks, &line, &c);
        const int64_t step = c * kChunk + lane * kItems;
        const int count =
            (int)max((int64_t)0, min(axis - step, (int64_t)kItems));
        /* Exact sums are no sums, and are looked at in ascending order. */
        const bool backward = Scan && !Exact && s.w.reverse;
        const int64_t a = backward ? axis - step - count : step;
        const int64_t index = line * axis + a;
        elements<D> e;
        e.valid = (1u << count) - 1;
        if (Scan && !Exact && turn++ % kHear == 0)
            hear(g, &seen);
        load((const bits *)s.w.p.in, index, count, e.x);
        if (Masked)
            load(s.w.p.mask, index, count, e.mask);
        if (Scan || s.judged) {
            const bool flipped = !Scan && s.w.reverse;
            load((const bits *)s.w.p.out,
                 flipped ? line * axis + (axis - a - count) : index, count,
                 e.y);
            if (flipped) {
                reverse(e.y); /* count < kItems: to the upper end */
                for (int gap = kItems; gap > count; --gap)
#pragma unroll
                    for (int j = 0; j + 1 < kItems; ++j)
                        e.y[j] = e.y[j + 1];
            }
            seen.checked += (unsigned)count;
        }
        const struct input_line l = line_of(s.w, line);
        if constexpr (Exact) {
            const levels n = levels_of<Masked>(l, a, index);
            int before = 0, last = 0;
            if constexpr (Masked) {
                const unsigned kept = n.kept & e.valid;
                int own = 0;
#pragma unroll
                for (int j = 0; j < kItems; ++j)
                    own = kept >> j & 1 ? n.at[j + 1] : own;
                const unsigned lower =
                    __ballot_sync(kAll, kept != 0) & ((1u << lane) - 1);
                before = __shfl_sync(kAll, own, 31 - __clz((int)lower));
                if (!lower)
                    before = kept_level(l, a, index);
            } else if (Scan && s.w.reverse)
                last = input_level(line, axis - 1);
            seen.doubt |=
                odd_exact<D, Masked, Scan>(s, n, e, last, &before) != 0;
        } else {
            seen.doubt |= odd_input<D, Masked>(l, a, index, 1, e) != 0;
            if constexpr (Scan) {
                const total prefix = prefix_of(s, item);
                const double whole = whole_of<D>(s, line);
                if (backward) {
                    reverse(e.x);
                    reverse(e.y);
                    e.valid <<= kItems - count;
                }
                const total before =
                    total_join(prefix, lanes_before<D>(total_of<D, Masked>(e)));
                judge_scan<D, Masked>(s, e, before, whole, &seen,
                                      &g->max_error_bits);
            } else if (s.judged)
                seen.doubt |= odd_moves<D, Masked>(e) != 0;
        }
        if (!Scan && s.w.p.op == OP_READ)
            seen.word ^= word_of<D>(e, index, 1);
    }
    gather_glimpses(seen, g);
}

/* Strided or short lines: a thread walks a chunk, as in compare_scan(). */
template <enum dtype D, bool Exact, bool Masked, bool Scan>
static __global__ __launch_bounds__(kThreads, 2) void glance_threads(
    const __grid_constant__ scene s, gathered *g)
{
    using bits = typename bits_of<D>::type;
    const struct shape shape = s.w.p.shape;
    const int64_t items = shape.outer * s.w.chunks * shape.inner;
    const int64_t steps = min((int64_t)kChunk, shape.axis);
    const int lane = threadIdx.x % 32;
    glimpse seen = {};
    for (int64_t item = blockIdx.x * (int64_t)kThreads + threadIdx.x;
         item - lane < items; item += gridDim.x * (int64_t)kThreads) {
        const bool there = item < items;
        int64_t row, i, o, c;
        split(there ? item : 0, items, shape.inner, &row, &i);
        split(row, items, s.w.chunks, &o, &c);
        const struct input_line l = line_of(s.w, o * shape.inner + i);
        const bool backward = Scan && !Exact && s.w.reverse;
        const int way = backward ? -1 : 1;
        total before = {};
        double whole = 0;
        if (Scan && !Exact && there) {
            before = prefix_of(s, item);
            whole = whole_of<D>(s, l.line);
        }
        int kept = 0, last = 0;
        if (Exact && Scan && s.w.reverse)
            last = input_level(l.line, shape.axis - 1);
        for (int64_t at = 0; at < steps; at += kItems) {
            const int64_t step = c * kChunk + at;
            const int count =
                there ? (int)max((int64_t)0,
                                 min(shape.axis - step, (int64_t)kItems))
                      : 0;
            const int64_t a = backward ? shape.axis - 1 - step : step;
            const int64_t index = (o * shape.axis + a) * shape.inner + i;
            elements<D> e;
            e.valid = (1u << count) - 1;
            if (Scan && !Exact && at % (kChunk / kHear) == 0)
                hear(g, &seen);
#pragma unroll
            for (int j = 0; j < kItems; ++j) {
                const int64_t place = a + j * way;
                const int64_t from = index + j * way * shape.inner;
                const int64_t to =
                    !Scan && s.w.reverse
                        ? from + (shape.axis - 1 - 2 * place) * shape.inner
                        : from;
                e.x[j] = e.y[j] = 0;
                e.mask[j] = 0;
                if (j >= count)
                    continue;
                e.x[j] = ((const bits *)s.w.p.in)[from];
                if (Masked)
                    e.mask[j] = s.w.p.mask[from];
                if (Scan || s.judged)
                    e.y[j] = ((const bits *)s.w.p.out)[to];
            }
            if (Scan || s.judged)
                seen.checked += (unsigned)count;
            if constexpr (Exact) {
                if (Masked && at == 0)
                    kept = kept_level(l, a, index);
                const levels n = levels_of<Masked>(l, a, index);
                seen.doubt |=
                    odd_exact<D, Masked, Scan>(s, n, e, last, &kept) != 0;
            } else {
                seen.doubt |= odd_input<D, Masked>(l, a, index, way, e) != 0;
                if constexpr (Scan) {
                    judge_scan<D, Masked>(s, e, before, whole, &seen,
                                          &g->max_error_bits);
                    before = total_join(before, total_of<D, Masked>(e));
                } else if (s.judged)
                    seen.doubt |= odd_moves<D, Masked>(e) != 0;
            }
            if (!Scan && s.w.p.op == OP_READ)
                seen.word ^= word_of<D>(e, index, shape.inner);
        }
    }
    gather_glimpses(seen, g);
}

template <enum dtype D, bool Exact, bool Masked, bool Scan>
static void launch(const scene &s, gathered *g)
{
    const struct shape shape = s.w.p.shape;
    const int64_t items = shape.outer * s.w.chunks * shape.inner;
    /* Of a short line most lanes of a warp would see nothing. */
    if (shape.inner == 1 && shape.axis >= kChunk / 4)
        glance_rows<D, Exact, Masked, Scan>
            <<<(unsigned)blocks_for(items * 32), kThreads>>>(s, g);
    else
        glance_threads<D, Exact, Masked, Scan>
            <<<(unsigned)blocks_for(items), kThreads>>>(s, g);
}

template <bool Exact, bool Masked>
static void launch_for_op(const scene &s, gathered *g)
{
    with_dtype(s.w.p.dtype, [&](auto d) {
        constexpr enum dtype kDtype = decltype(d)::value;
        if (op_is_scan(s.w.p.op))
            launch<kDtype, Exact, Masked, true>(s, g);
        else
            launch<kDtype, Exact, Masked, false>(s, g);
    });
}

int glance(const walk &w, const struct reference *r, bool cancelling,
           double bound, gathered *g)
{
    const enum op op = w.p.op;
    scene s = {};
    s.w = w;
    s.prefixes = r->prefixes;
    s.whole = r->whole;
    s.judged = op != OP_SUM && op != OP_READ;
    s.exclusive = op == OP_CUMSUM_EXCLUSIVE;
    s.cancelling = cancelling;
    s.limit = bound * kMargin;
    const bool exact = w.kind == INPUT_EXACT;
    if (exact && w.masked)
        launch_for_op<true, true>(s, g);
    else if (exact)
        launch_for_op<true, false>(s, g);
    else if (w.masked)
        launch_for_op<false, true>(s, g);
    else
        launch_for_op<false, false>(s, g);
    return cudaGetLastError();
}
