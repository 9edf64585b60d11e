/* SPDX-License-Identifier: MIT
 *
 * Idea     16-byte accesses. Along contiguous lines a vector goes to its
 *          mirror place with its items in reverse; where inner > 1 whole rows
 *          change places, and a row is a run of vectors. Narrow rows are items
 *          themselves, as wide as they are.
 * Against  element: a quarter (eighth) of the accesses and of the divisions.
 * Traffic  2N elements: the compulsory minimum (passes = 1).
 * Needs    nothing. Where lines (rows, if inner > 1) do not all start on
 *          16-byte boundaries, a vector is put together from the two that hold
 *          its items; the few that belong to two lines (rows) from single ones.
 * Source   none.
 * Lesson   Items turned round in registers: both sides stay whole and wide.
 */
#include "variants/common/l2_hints.cuh"

template <class T, int Width>
struct alignas(sizeof(T) * Width) items {
    T item[Width];
};

/* A flip of `units` of Width elements along `axis` units, in runs of `inner`
 * that keep their order; a unit's own items are reversed if Mirror. */
template <class T, int Width, bool Mirror, int Threads, int Loads>
static __global__ void __launch_bounds__(Threads)
    vectorised(const items<T, Width> *__restrict__ in,
               items<T, Width> *__restrict__ out, int64_t units, int64_t axis,
               int64_t inner)
{
    constexpr int kTile = Threads * Loads;
    for (int64_t tile = blockIdx.x; tile * kTile < units; tile += gridDim.x) {
        const int64_t first = tile * kTile + threadIdx.x;
        items<T, Width> x[Loads];
#pragma unroll
        for (int j = 0; j < Loads; ++j)
            if (first + j * Threads < units)
                x[j] = in[first + j * Threads];
#pragma unroll
        for (int j = 0; j < Loads; ++j) {
            const int64_t at = first + j * Threads;
            if (at >= units)
                break;
            items<T, Width> y;
#pragma unroll
            for (int k = 0; k < Width; ++k)
                y.item[k] = x[j].item[Mirror ? Width - 1 - k : k];
            const int64_t a = (inner == 1 ? at : at / inner) % axis;
            out[at + (axis - 1 - 2 * a) * inner] = y;
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
#pragma unroll
        for (int k = 0; k < 4; ++k)
            w[k] = __funnelshift_r(w[k], w[k + 1], (shift & 2) * 8);
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
    else
        return make_uint4(
            __byte_perm(x.w, 0, 0x1032), __byte_perm(x.z, 0, 0x1032),
            __byte_perm(x.y, 0, 0x1032), __byte_perm(x.x, 0, 0x1032));
}

/* 32 bits divide faster. */
__device__ __forceinline__ int64_t quotient(int64_t a, int64_t b)
{
    return (a | b) >> 32 ? a / b : (int64_t)((unsigned)a / (unsigned)b);
}

/* Runs of `run` elements, in which the source lies together: a line, to be
 * mirrored, or a row (of `rows` along the axis), to be moved. A thread makes
 * vectors of out; `lead` and `in_lead` elements lie between a boundary and the
 * first element. */
template <class T, bool Mirror, int Threads, int Loads>
static __global__ void __launch_bounds__(Threads)
    shifted_runs(const T *__restrict__ in, T *__restrict__ out, int64_t elems,
                 int64_t run, int64_t rows, int lead, int in_lead)
{
    constexpr int kWide = kVec<T>;
    constexpr int kTile = Threads * Loads * kWide;
    const uint64_t policy = evict_last_policy();

    for (int64_t tile = blockIdx.x; tile * kTile < elems + lead;
         tile += gridDim.x) {
        /* Element 0 of the first vector, the run it is in, and its place there
         * (kWide runs later, so that none is negative). */
        const int64_t first = tile * kTile - lead;
        const int64_t first_run = quotient(first + run * kWide, run);
        const int64_t first_at = first + run * kWide - first_run * run;

        /* load */
        uint4 a[Loads], b[Loads];
        int64_t from[Loads];
        bool together[Loads];
#pragma unroll
        for (int j = 0; j < Loads; ++j) {
            const int local = (j * Threads + (int)threadIdx.x) * kWide;
            const int64_t e = first + local;
            int64_t r = first_run - kWide, at = first_at + local;
            if (at >= run) {
                const int64_t over = quotient(at, run);
                r += over;
                at -= over * run;
            }
            from[j] = r * run + run - kWide - at;
            if (!Mirror) {
                const int64_t row = r - quotient(r, rows) * rows;
                from[j] = e + (rows - 1 - 2 * row) * run;
            }
            const int shift = (int)((from[j] + in_lead) & (kWide - 1));
            const int64_t low = from[j] - shift;
            together[j] = e >= 0 && at + kWide <= run && e + kWide <= elems &&
                          low >= 0 &&
                          low + (shift ? 2 * kWide : kWide) <= elems;
            a[j] = b[j] = {};
            if (together[j]) {
                a[j] = load_kept((const uint4 *)(in + low), policy);
                if (shift)
                    b[j] = load_kept((const uint4 *)(in + low + kWide), policy);
            }
        }

        /* shift, store */
#pragma unroll
        for (int j = 0; j < Loads; ++j) {
            const int64_t e = first + (j * Threads + (int)threadIdx.x) * kWide;
            if (together[j]) {
                const int shift = (int)((from[j] + in_lead) & (kWide - 1));
                const uint4 x = shifted<T>(a[j], b[j], shift * (int)sizeof(T));
                __stcs((uint4 *)(out + e), Mirror ? mirrored<T>(x) : x);
                continue;
            }
            vec<T> y;
#pragma unroll
            for (int k = 0; k < kWide; ++k) {
                const int64_t to = e + k;
                if (to < 0 || to >= elems)
                    continue;
                const int64_t r = quotient(to, run);
                const int64_t row = r - quotient(r, rows) * rows;
                y.item[k] = in[Mirror ? (2 * r + 1) * run - 1 - to
                                      : to + (rows - 1 - 2 * row) * run];
            }
            if (e >= 0 && e + kWide <= elems) {
                uint4 words;
                memcpy(&words, &y, sizeof y);
                __stcs((uint4 *)(out + e), words);
                continue;
            }
#pragma unroll
            for (int k = 0; k < kWide; ++k)
                if (e + k >= 0 && e + k < elems)
                    out[e + k] = y.item[k];
        }
    }
}

template <class T, int Width, bool Mirror, int Threads, int Loads>
static int launch_units(const struct problem *p, int64_t axis, int64_t inner,
                        void *stream)
{
    const int64_t units = p->shape.outer * axis * inner;
    vectorised<T, Width, Mirror, Threads, Loads>
        <<<grid_x(ceil_div(units, Threads * Loads)), Threads, 0,
           (cudaStream_t)stream>>>((const items<T, Width> *)p->in,
                                   (items<T, Width> *)p->out, units, axis,
                                   inner);
    return cudaGetLastError();
}

template <class T, bool Mirror, int Threads, int Loads>
static int launch_runs(const struct problem *p, int64_t axis, int64_t inner,
                       void *stream)
{
    const int64_t elems = p->shape.outer * axis * inner;
    const int lead = (int)((uintptr_t)p->out / sizeof(T) % kVec<T>);
    const int in_lead = (int)((uintptr_t)p->in / sizeof(T) % kVec<T>);
    shifted_runs<T, Mirror, Threads, Loads>
        <<<grid_x(ceil_div(elems + lead, Threads * Loads * kVec<T>)), Threads,
           0, (cudaStream_t)stream>>>((const T *)p->in, (T *)p->out, elems,
                                      Mirror ? axis : inner, axis, lead,
                                      in_lead);
    return cudaGetLastError();
}

/* A narrow row is an item. The bits move as they are. */
template <int Bytes, int Threads, int Loads>
static int flip(const struct problem *p, int64_t inner, void *stream)
{
    using T = std::conditional_t<Bytes == 8, double,
                                 std::conditional_t<Bytes == 4, float, __half>>;
    const int64_t axis = p->shape.axis;
    if constexpr (Bytes < 8)
        if (inner % 2 == 0 && inner * Bytes <= 8 &&
            ((uintptr_t)p->in | (uintptr_t)p->out) % (2 * Bytes) == 0)
            return flip<2 * Bytes, Threads, Loads>(p, inner / 2, stream);
    if (inner == 1 && lines_aligned<T>(p->in, p->mask, p->out, axis))
        return launch_units<T, kVec<T>, true, Threads, Loads>(p, axis / kVec<T>,
                                                              1, stream);
    if (inner > 1 && lines_aligned<T>(p->in, p->mask, p->out, inner))
        return launch_units<T, kVec<T>, false, Threads, Loads>(
            p, axis, inner / kVec<T>, stream);
    if (inner == 1)
        return launch_runs<T, true, Threads, Loads>(p, axis, 1, stream);
    return launch_runs<T, false, Threads, Loads>(p, axis, inner, stream);
}

template <int Threads, int Items>
static int launch(const struct problem *p, void *stream)
{
    constexpr int kLoads = Items / 4;
    const int64_t inner = p->shape.inner;
    switch (dtype_bytes(p->dtype)) {
    case 8:
        return flip<8, Threads, kLoads>(p, inner, stream);
    case 4:
        return flip<4, Threads, kLoads>(p, inner, stream);
    default:
        return flip<2, Threads, kLoads>(p, inner, stream);
    }
}

/* Items as in f32, four a load. */
#define POINT(threads, items)                                                  \
    {                                                                          \
        .name = "vectorised_b" #threads "_i" #items,                           \
        .idea = "16-byte accesses, items mirrored or rows moved whole",        \
        .runs_on = DEVICE_CUDA, .ops = OP_BIT(OP_FLIP), .dtypes = DTYPES_ALL,  \
        .passes = 1, .error_growth = ERROR_NONE, .deterministic = true,        \
        .launch = launch<threads, items>                                       \
    }

VARIANTS(flip__vectorised) = {
    POINT(128, 4),
    POINT(128, 8),
    {},
};
