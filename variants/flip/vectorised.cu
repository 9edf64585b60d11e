/* SPDX-License-Identifier: MIT
 *
 * Idea     16-byte accesses. Along contiguous lines a vector goes to its
 *          mirror place with its items in reverse; where inner > 1 whole rows
 *          change places, and a row is a run of vectors. A row of less than 16
 *          bytes moves as one item of its width. The wide point has 32-byte
 *          accesses (compute capability 10.0) where lines or rows allow them.
 * Against  element: a quarter (eighth) of the accesses and of the divisions.
 * Traffic  2N elements: the compulsory minimum (passes = 1).
 * Needs    nothing. Where lines (rows, if inner > 1) do not all start on
 *          16-byte boundaries, a vector is put together from the two that hold
 *          its items, or the four, where it belongs to two lines (rows); where
 *          these are shorter than a vector, from single items.
 * Source   none.
 * Lesson   Reversal in registers keeps accesses whole and wide. A vector leaves
 *          time for a hundred instructions, so no division.
 */
#include "variants/common/access/divisor.cuh"
#include "variants/common/access/l2_hints.cuh"
#include "variants/common/access/wide.cuh"
#include "variants/common/kernel.cuh"

/* A flip of `units` of Width elements along `axis` units, in runs of `inner`
 * that keep their order; a unit's own items are reversed if Mirror. */
template <class T, int Width, bool Mirror, int Threads, int Loads>
static __global__ void __launch_bounds__(Threads)
    vectorised(const vec<T, Width> *__restrict__ in,
               vec<T, Width> *__restrict__ out, int64_t units, int64_t axis,
               int64_t inner)
{
    TAG(fast, Width > 1 && Width <= 8);
    constexpr int kTile = Threads * Loads;
    for (int64_t tile = blockIdx.x; tile * kTile < units; tile += gridDim.x) {
        const int64_t first = tile * kTile + threadIdx.x;
        vec<T, Width> x[Loads];
#pragma unroll
        for (int j = 0; j < Loads; ++j)
            if (first + j * Threads < units)
                x[j] = load_unit(in + first + j * Threads);
#pragma unroll
        for (int j = 0; j < Loads; ++j) {
            const int64_t at = first + j * Threads;
            if (at >= units)
                break;
            vec<T, Width> y;
#pragma unroll
            for (int k = 0; k < Width; ++k)
                y.item[k] = x[j].item[Mirror ? Width - 1 - k : k];
            const int64_t a = (inner == 1 ? at : at / inner) % axis;
            store_unit(out + at + (axis - 1 - 2 * a) * inner, y);
        }
    }
}

/* The 16 bytes from byte `shift` (of 0 to 15, a multiple of T) on of two
 * vectors. */
template <class T>
__device__ __forceinline__ uint4 shifted(const uint4 &a, const uint4 &b,
                                         int shift)
{
    unsigned w[8] = { a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w };
#pragma unroll
    for (int k = 0; k < 6; ++k)
        w[k] = shift & 8 ? w[k + 2] : w[k];
    if constexpr (sizeof(T) < 8) {
#pragma unroll
        for (int k = 0; k < 5; ++k)
            w[k] = shift & 4 ? w[k + 1] : w[k];
    }
    if constexpr (sizeof(T) < 4) {
        constexpr int kLow = sizeof(T) == 2 ? 2 : 3;
#pragma unroll
        for (int k = 0; k < 4; ++k)
            w[k] = __funnelshift_r(w[k], w[k + 1], (shift & kLow) * 8);
    }
    return make_uint4(w[0], w[1], w[2], w[3]);
}

template <class T>
__device__ __forceinline__ uint4 mirrored(const uint4 &x)
{
    if constexpr (sizeof(T) == 8)
        return make_uint4(x.z, x.w, x.x, x.y);
    else if constexpr (sizeof(T) == 4)
        return make_uint4(x.w, x.z, x.y, x.x);
    constexpr unsigned kOrder = sizeof(T) == 2 ? 0x1032 : 0x0123;
    return make_uint4(__byte_perm(x.w, 0, kOrder), __byte_perm(x.z, 0, kOrder),
                      __byte_perm(x.y, 0, kOrder), __byte_perm(x.x, 0, kOrder));
}

/* Runs whose source is contiguous: lines, which are mirrored, or rows, which
 * move whole. Differences of places wrap around. */
template <class Index>
struct runs {
    Index elems, vectors;
    divisor<Index> run, rows;
    Index back; /* from a slab's last row to its first */
    Index safe; /* places in in, from kVec on, whose vectors lie in it */
    int lead;   /* elements from a 16-byte boundary to out's first */
};

/* An element of out: its place in its run, the run's along the axis (if rows
 * are moved), and the element of in that belongs there. */
template <class Index, bool Mirror>
struct source {
    Index at, row, from;

    __device__ __forceinline__ source(const runs<Index> &s, Index e)
    {
        const Index r = s.run.quotient(e, &at);
        row = 0;
        if constexpr (Mirror) {
            from = e + s.run.d - 1 - 2 * at;
        } else {
            s.rows.quotient(r, &row);
            from = e + s.back - 2 * row * s.run.d;
        }
    }
    /* The distance from where this run would continue to the next one. */
    __device__ __forceinline__ Index jump(const runs<Index> &s) const
    {
        if (Mirror)
            return 2 * s.run.d;
        return row + 1 == s.rows.d ? 2 * s.back : 0 - 2 * s.run.d;
    }
    __device__ __forceinline__ void step(const runs<Index> &s)
    {
        from = Mirror ? from - 1 : from + 1;
        if (++at < s.run.d)
            return;
        from += jump(s);
        at = 0;
        row = row + 1 == s.rows.d ? 0 : row + 1;
    }
};

/* The two vectors that hold the elements from `from` on. */
template <class T>
struct straddle {
    uint4 a, b;
    int shift; /* bytes */

    __device__ __forceinline__ straddle(const T *from, uint64_t policy)
    {
        const auto first = (uintptr_t)from;
        const auto *low = (const uint4 *)(first / 16 * 16);
        shift = (int)(first % 16);
        a = read_kept(low, policy);
        b = read_kept(low + 1, policy);
    }
    template <bool Mirror>
    __device__ __forceinline__ uint4 items(void) const
    {
        const uint4 x = shifted<T>(a, b, shift);
        return Mirror ? mirrored<T>(x) : x;
    }
};

/* The first `bytes` of x, the others of y. */
__device__ __forceinline__ uint4 spliced(const uint4 &x, const uint4 &y,
                                         int bytes)
{
    const auto word = [bytes](unsigned a, unsigned b, int k) {
        const int bits = 8 * bytes - 32 * k;
        const unsigned others =
            __funnelshift_lc(0, ~0u, bits > 0 ? (unsigned)bits : 0);
        return (a & ~others) | (b & others);
    };
    return { word(x.x, y.x, 0), word(x.y, y.y, 1), word(x.z, y.z, 2),
             word(x.w, y.w, 3) };
}

/* Up to kVec<T> elements of out from e on, one by one: where vectors of in
 * would stick out of it, and where runs are shorter than a vector. */
template <class T, bool Mirror, class Index>
__device__ __forceinline__ void
move_singly(const T *__restrict__ in, T *__restrict__ out, const runs<Index> &s,
            source<Index, Mirror> x, Index e, int count)
{
    if (count < kVec<T>) { /* the first vector of out, or the last */
        for (int k = 0; k < count; ++k, x.step(s))
            out[e + k] = in[x.from];
        return;
    }
    vec<T> y;
#pragma unroll
    for (int k = 0; k < kVec<T>; ++k, x.step(s))
        y.item[k] = in[x.from];
    write_first(out + e, y);
}

/* A thread makes a vector of out: from the two vectors of in that hold it, or
 * the four, where it has the end of a run and the beginning of another. */
template <class T, class Index, bool Mirror, int Threads>
static __global__ void __launch_bounds__(Threads)
    shifted_runs(const T *__restrict__ in, T *__restrict__ out,
                 const runs<Index> s)
{
    TAG(shifted, sizeof(Index) == 4);
    constexpr int V = kVec<T>;
    const uint64_t policy = evict_last_policy();

    for (Index v = (Index)blockIdx.x * Threads + threadIdx.x; v < s.vectors;
         v += (Index)gridDim.x * Threads) {
        const int skip = v ? 0 : s.lead;
        const Index e = v * V + skip - s.lead;
        const int count = (int)min((Index)(V - skip), s.elems - e);
        const source<Index, Mirror> x(s, e);
        const Index left = s.run.d - x.at; /* in the run */
        const Index low = x.from - (Mirror ? V - 1 : 0);
        const Index next = left < V ? low + x.jump(s) : low;
        if (count < V || (Index)(low - V) >= s.safe ||
            (Index)(next - V) >= s.safe) {
            move_singly<T, Mirror>(in, out, s, x, e, count);
            continue;
        }
        const straddle<T> first(in + low, policy);
        if (left >= V) {
            __stcs((uint4 *)(out + e), first.template items<Mirror>());
            continue;
        }
        const straddle<T> second(in + next, policy);
        __stcs((uint4 *)(out + e), spliced(first.template items<Mirror>(),
                                           second.template items<Mirror>(),
                                           (int)left * (int)sizeof(T)));
    }
}

template <class T, int Width, bool Mirror, int Threads, int Loads>
static int launch_units(const struct problem *p, int64_t axis, int64_t inner,
                        void *stream)
{
    const int64_t units = p->shape.outer * axis * inner;
    return launch_kernel(vectorised<T, Width, Mirror, Threads, Loads>,
                         ceil_div(units, Threads * Loads), Threads, 0, stream,
                         p->in, p->out, units, axis, inner);
}

template <class T, class Index, bool Mirror, int Threads>
static int launch_runs(const struct problem *p, int64_t axis, int64_t inner,
                       void *stream)
{
    constexpr int64_t V = kVec<T>;
    const int64_t elems = p->shape.outer * axis * inner;
    const int64_t run = Mirror ? axis : inner;
    runs<Index> s = { .elems = (Index)elems };
    s.lead = (int)((uintptr_t)p->out / sizeof(T) % V);
    s.vectors = (Index)ceil_div(elems + s.lead, V);
    s.run = divisor_of<Index>(run);
    s.rows = divisor_of<Index>(axis);
    s.back = (Index)((axis - 1) * inner);
    if (run >= V && elems >= 3 * V)
        s.safe = (Index)(elems - 3 * V + 1);
    return launch_kernel(shifted_runs<T, Index, Mirror, Threads>,
                         ceil_div(s.vectors, Threads), Threads, 0, stream,
                         p->in, p->out, s);
}

/* 32 bits are for fewer elements than 2^31. */
template <class T, bool Mirror, int Threads>
static int launch_counted(const struct problem *p, int64_t axis, int64_t inner,
                          void *stream)
{
    if (p->shape.outer * axis * inner < 0x7ffff000)
        return launch_runs<T, uint32_t, Mirror, Threads>(p, axis, inner,
                                                         stream);
    return launch_runs<T, uint64_t, Mirror, Threads>(p, axis, inner, stream);
}

template <int Bytes>
using unit = std::conditional_t<
    Bytes == 8, double,
    std::conditional_t<Bytes == 4, float,
                       std::conditional_t<Bytes == 2, __half, uint8_t>>>;

/* Items are as wide as rows allow: a narrow row is one. The bits move as they
 * are. */
template <int Bytes, int Threads, int Loads>
static int flip(const struct problem *p, int64_t inner, void *stream)
{
    using T = unit<Bytes>;
    const int64_t axis = p->shape.axis;
    if (inner == 1 && lines_aligned<T>(p->in, p->mask, p->out, axis))
        return launch_units<T, kVec<T>, true, Threads, Loads>(p, axis / kVec<T>,
                                                              1, stream);
    if (inner > 1 && lines_aligned<T>(p->in, p->mask, p->out, inner))
        return launch_units<T, kVec<T>, false, Threads, Loads>(
            p, axis, inner / kVec<T>, stream);
    if constexpr (Bytes < 8)
        if (inner % 2 == 0 &&
            ((uintptr_t)p->in | (uintptr_t)p->out) % (2 * Bytes) == 0)
            return flip<2 * Bytes, Threads, Loads>(p, inner / 2, stream);
    if (inner == 1)
        return launch_counted<T, true, Threads>(p, axis, 1, stream);
    return launch_counted<T, false, Threads>(p, axis, inner, stream);
}

/* By 32-byte accesses where all lines, or rows, are whole ones; -1: they are
 * not. */
template <int Bytes, int Threads, int Loads>
static int flip_wide(const struct problem *p, void *stream)
{
    constexpr int kWidth = (int)sizeof(wide) / Bytes;
    const int64_t axis = p->shape.axis, inner = p->shape.inner;
    const int64_t run = inner == 1 ? axis : inner;
    if (run % kWidth || ((uintptr_t)p->in | (uintptr_t)p->out) % sizeof(wide))
        return -1;
    return inner == 1
               ? launch_units<unit<Bytes>, kWidth, true, Threads, Loads>(
                     p, axis / kWidth, 1, stream)
               : launch_units<unit<Bytes>, kWidth, false, Threads, Loads>(
                     p, axis, inner / kWidth, stream);
}

template <int Threads, int Items, enum unit_walk Walk>
static int launch(const struct problem *p, void *stream)
{
    const auto move = [&]<int Bytes>(std::integral_constant<int, Bytes>) {
        if constexpr (Walk == WIDE) {
            const int error = flip_wide<Bytes, Threads, Items / 8>(p, stream);
            if (error >= 0)
                return error;
        }
        constexpr int kLoads = Walk == WIDE ? 1 : Items / 4;
        return flip<Bytes, Threads, kLoads>(p, p->shape.inner, stream);
    };
    const int size = dtype_bytes(p->dtype);
    return size == 8   ? move(std::integral_constant<int, 8>{})
           : size == 4 ? move(std::integral_constant<int, 4>{})
           : size == 2 ? move(std::integral_constant<int, 2>{})
                       : move(std::integral_constant<int, 1>{});
}

/* Items as in f32, four a load; eight if wide. */
#define POINT(text, access, threads, items, walk)                              \
    {                                                                          \
        .name = "vectorised" text "_b" #threads "_i" #items,                   \
        .idea = access " accesses, items mirrored or rows moved whole",        \
        MOVES_ON_CUDA(FORM_OF(OP_FLIP), DTYPES_ALL), .deterministic = true,    \
        .refuses = walk == WIDE ? wide_refuses : NULL,                         \
        .launch = launch<threads, items, walk>                                 \
    }

VARIANTS(flip__vectorised) = {
    POINT("", "16-byte", 128, 4, EACH_TILE),
    POINT("_wide", "32-byte", 128, 8, WIDE),
    {},
};
