/* SPDX-License-Identifier: MIT
 *
 * Idea     One block holds a whole line in registers, as the raw words that
 *          came: one burst of loads, one scan, one burst of stores. Blocks
 *          take lines in memory order, so the whole GPU walks one small window
 *          of addresses, and neither burst stays in a cache (both stream).
 * Against  block_per_line: no carry from tile to tile, hence one barrier a
 *          line, and fewer, nearer streams for the DRAM.
 * Traffic  2N elements: the compulsory minimum (passes = 1).
 * Needs    inner == 1; axis at most what the tuning point holds. Lines off
 *          16-byte boundaries keep their 16-byte accesses if in, out and mask
 *          are off by the same.
 * Source   none.
 */
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
__device__ __forceinline__ void store_words(T *out,
                                            const acc_t<T> (&v)[kVec<T>])
{
    vec<T> y;
    uint4 words;
#pragma unroll
    for (int k = 0; k < kVec<T>; ++k)
        y.item[k] = from_acc<T>(v[k]);
    memcpy(&words, &y, sizeof y);
    __stcs((uint4 *)out, words);
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

/* Lines of which nothing but `axis` is known. Vector j of a lane is at + j
 * steps; elements before `head` have been seen to. */
template <class T, bool Masked, int Vecs>
__device__ __forceinline__ void
load_part(const T *__restrict__ in, const uint8_t *__restrict__ mask, int at,
          int end, bool vectors, uint4 (&r)[Vecs])
{
    if (vectors) {
        load_vectors<T, Masked, false>(in, mask, at, end, r);
        return;
    }
#pragma unroll
    for (int j = 0; j < Vecs; ++j)
        r[j] = load_words<T, Masked>(in, mask, at + j * 32 * kVec<T>, end);
}

/* A warp owns Vecs * 32 vectors in a row; vector j of a lane lies 32 vectors
 * after its vector j - 1, so that every access is one whole 512-byte run.
 * Whole: every line fills the block, from a 16-byte boundary on. */
template <class T, class Scan, int Threads, int Vecs, int Blocks, bool Whole>
static __global__ void __launch_bounds__(Threads, Blocks)
    line_in_registers(const T *__restrict__ in,
                      const uint8_t *__restrict__ mask, T *__restrict__ out,
                      int64_t lines, int axis, bool vectors)
{
    using Acc = acc_t<T>;
    constexpr int kStep = 32 * kVec<T>;
    __shared__ Acc totals[Threads / 32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int at = warp * Vecs * kStep + lane * kVec<T>;

    for (int64_t line = blockIdx.x;;) {
        const T *x = in + line * axis;
        const uint8_t *m = mask + line * axis;
        T *y = out + line * axis;
        int head = 0;
        if (!Whole && vectors)
            head = min(axis, (int)(-((uintptr_t)x / sizeof(T)) % kVec<T>));
        const int elems = axis - head;

        /* load */
        uint4 r[Vecs];
        if constexpr (Whole)
            load_vectors<T, Scan::masked, true>(x, m, at, elems, r);
        else
            load_part<T, Scan::masked>(x + head, m + head, at, elems, vectors,
                                       r);

        /* upsweep: where each vector stands in its warp, in walk order */
        Acc before[Vecs], warp_total = 0;
#pragma unroll
        for (int step = 0; step < Vecs; ++step) {
            const int j = Scan::reverse ? Vecs - 1 - step : step;
            Acc v[kVec<T>], row_total;
            to_items<T>(r[j], v);
            before[j] = warp_total +
                        warp_prefix<Scan::reverse>(items_sum(v), &row_total);
            warp_total += row_total;
        }

        /* spine */
        Acc body;
        Acc carry =
            warps_prefix<Scan::reverse, Threads>(warp_total, totals, &body);
        if (!Whole && head > 0) {
            const Acc sum = scan_head<T, Scan>(x, m, threadIdx.x ? NULL : y,
                                               head, Scan::reverse ? body : 0);
            carry += Scan::reverse ? Acc(0) : sum;
        }

        /* downsweep, store */
        const unsigned zero = gridDim.z - 1;
#pragma unroll
        for (int j = 0; j < Vecs; ++j) {
            const int first = head + at + j * kStep;
            Acc v[kVec<T>];
            /* Halves are to be converted again, not kept as twice the
             * registers: the compiler must not know the words. */
            if constexpr (sizeof(T) == 2) {
                r[j].x ^= zero, r[j].y ^= zero;
                r[j].z ^= zero, r[j].w ^= zero;
            }
            to_items<T>(r[j], v);
            items_scan<Scan>(v, carry + before[j]);
            if (Whole || (vectors && first + kVec<T> <= axis)) {
                store_words(y + first, v);
                continue;
            }
#pragma unroll
            for (int k = 0; k < kVec<T>; ++k)
                if (first + k < axis)
                    y[first + k] = from_acc<T>(v[k]);
        }
        line += gridDim.x;
        if (Whole || line >= lines) /* Whole: as many blocks as lines */
            return;
        __syncthreads(); /* totals may be written again */
    }
}

/* Items of an f32 or half line a thread; a double takes two registers. */
template <class T, int Items>
constexpr int kVecs = (sizeof(T) == 8 ? Items / 2 : Items) / kVec<T>;

/* As many blocks an SM as leave a thread its line's registers, and as many
 * again to work with. */
template <class T, int Threads, int Items>
constexpr int kBlocks = 65536 / Threads /
                        (kVecs<T, Items> * 4 <= 8    ? 32
                         : kVecs<T, Items> * 4 <= 16 ? 56
                         : kVecs<T, Items> * 4 <= 32 ? 64
                                                     : 128);

template <int Threads, int Items>
static int launch(const struct problem *p, void *stream)
{
    return dispatch_scan(p, [&](auto type, auto scan) -> int {
        using T = typename decltype(type)::type;
        using Scan = decltype(scan);
        constexpr int kHeld = kVecs<T, Items>;
        constexpr int kFit = kBlocks<T, Threads, Items>;
        const int64_t lines = shape_lines(p->shape), axis = p->shape.axis;
        /* Elements since a boundary, of in, out and mask alike? */
        const uintptr_t off = (uintptr_t)p->in / sizeof(T) % kVec<T>;
        const bool vectors = (uintptr_t)p->out / sizeof(T) % kVec<T> == off &&
                             (!p->mask || (uintptr_t)p->mask % kVec<T> == off);
        const bool whole = vectors && off == 0 && grid_x(lines) == lines &&
                           axis == Threads * kHeld * kVec<T>;
        auto *kernel =
            whole ? line_in_registers<T, Scan, Threads, kHeld, kFit, true>
                  : line_in_registers<T, Scan, Threads, kHeld, kFit, false>;
        kernel<<<grid_x(lines), Threads, 0, (cudaStream_t)stream>>>(
            (const T *)p->in, p->mask, (T *)p->out, lines, (int)axis, vectors);
        return cudaGetLastError();
    });
}

template <int Threads, int Items>
static const char *refuses(const struct problem *p)
{
    if (p->shape.inner != 1)
        return "serves contiguous lines only (inner = 1)";
    if (p->shape.axis > Threads * Items / (p->dtype == DTYPE_F64 ? 2 : 1))
        return "the line does not fit in the block's registers";
    return NULL;
}

#define POINT(threads, items)                                                  \
    {                                                                          \
        .name = "line_in_registers_b" #threads "_i" #items,                    \
        .idea = "one block holds the whole line in registers",                 \
        .runs_on = DEVICE_CUDA, .ops = OPS_SCAN, .dtypes = DTYPES_ALL,         \
        .passes = 1, .error_growth = ERROR_TILED, .error_tile = 1024,          \
        .deterministic = true, .refuses = refuses<threads, items>,             \
        .launch = launch<threads, items>                                       \
    }

VARIANTS(scan__line_in_registers) = {
    POINT(128, 8),
    POINT(128, 16),
    POINT(512, 8),
    POINT(1024, 8),
    POINT(256, 64),
    POINT(512, 64),
    {},
};
