/* SPDX-License-Identifier: MIT
 *
 * Tiles of a short strided axis: all rows of a strip of columns, or of several
 * slabs where rows are short, in shared memory. Each row comes by a bulk copy
 * of its own (below compute capability 9.0, by a warp's copies of vectors), so
 * that a row may have any pitch: the few elements before a row's first boundary
 * of 16 elements, and after its last, come singly.
 */
#ifndef VARIANTS_COMMON_ACCESS_COLUMN_STRIP_CUH
#define VARIANTS_COMMON_ACCESS_COLUMN_STRIP_CUH

#include "variants/common/access/async_copy.cuh"
#include "variants/common/access/bulk_hints.cuh"
#include "variants/common/access/shuffle.cuh"

constexpr int kStripThreads = 256;
constexpr int kStripMostRows = 128; /* of a tile */
constexpr int kStripStep = 128;     /* columns; strips begin at multiples */
constexpr int kStripLeast = 512;    /* columns; short rows are slow to copy */

/* Blocks that an SM holds, with tiles of `Bytes` bytes. */
template <int Bytes>
constexpr int kStripBlocks =
    kResident<kStripThreads,
              ((216 << 10) / Bytes < 6 ? (216 << 10) / Bytes : 6)>;

/* The tiles of a problem. */
struct strips {
    int64_t outer, inner;
    int64_t across, tiles;  /* strips side by side; tiles in all */
    int axis, slabs, width; /* of a tile; its columns */
    int pitch;              /* elements from row to row in shared memory */
    struct alignment alignment;
};

/* A row begins and ends anywhere between two boundaries. */
constexpr int kStripEnds = 2 * (kAlignment - 1);

/* Elements, each with its mask if there is one, that fit in `bytes`. */
static inline int strip_room(const struct problem *p, int bytes)
{
    return bytes / ((int)dtype_bytes(p->dtype) + (op_has_mask(p->op) ? 1 : 0));
}

/* The widest strip in that many bytes. */
static inline int strip_most(const struct problem *p, int bytes)
{
    return ((int)(strip_room(p, bytes) / p->shape.axis) - kStripEnds) /
           kStripStep * kStripStep;
}

/* Tiles of at most `tile_bytes` bytes. */
static inline struct strips strips_of(const struct problem *p, int tile_bytes)
{
    struct strips s = { .outer = p->shape.outer,
                        .inner = p->shape.inner,
                        .across = 1,
                        .axis = (int)p->shape.axis,
                        .slabs = 1,
                        .alignment = alignment_of(p) };
    const int most = strip_most(p, tile_bytes);
    s.width = (int)s.inner;
    if (s.inner > most) { /* strips that are all about as wide */
        s.across = ceil_div(s.inner, most);
        s.width =
            (int)ceil_div(ceil_div(s.inner, s.across), kStripStep) * kStripStep;
        s.across = ceil_div(s.inner, s.width);
    }
    s.pitch = (s.width + kStripEnds) / kAlignment * kAlignment;
    if (s.across == 1) {
        const int rows = strip_room(p, tile_bytes) / s.pitch;
        s.slabs = (rows < kStripMostRows ? rows : kStripMostRows) / s.axis;
    }
    s.tiles = ceil_div(s.outer, s.slabs) * s.across;
    return s;
}

/* True if 16-byte vectors of a row lie in one column vector each. */
static inline bool strips_in_vectors(const struct problem *p)
{
    const int vec = 16 / (int)dtype_bytes(p->dtype);
    return p->shape.inner % vec == 0 && (uintptr_t)p->in % 16 == 0 &&
           (uintptr_t)p->out % 16 == 0 && (uintptr_t)p->mask % kAlignment == 0;
}

template <int Bytes>
const char *strips_refuse(const struct problem *p)
{
    if (p->shape.inner < kStripStep)
        return "serves inner >= 128 only; narrow rows have row_tile_lookback";
    if (p->shape.axis < 1 || p->shape.axis > kStripMostRows)
        return "serves an axis of 1 to 128";
    const int most = strip_most(p, Bytes);
    if (most < kStripLeast && most < p->shape.inner)
        return "the axis is so long that a tile has few columns; longer ones "
               "have column_tma_ring and column_lookback_shifted";
    return tile_refuses(p, Bytes);
}

/* ----------------------------------------------------------------- device */

struct strip_tile {
    int64_t slab, column; /* its first ones */
    int64_t first;        /* the element there */
    int slabs, rows, width;
};

__device__ __forceinline__ struct strip_tile strip_tile_of(const strips &s,
                                                           int64_t number)
{
    const int64_t group = s.across == 1 ? number
                          : number >> 32 || s.across >> 32
                              ? number / s.across
                              : (unsigned)number / (unsigned)s.across;
    struct strip_tile t;
    t.slab = group * s.slabs;
    t.column = (number - group * s.across) * s.width;
    t.first = t.slab * s.axis * s.inner + t.column;
    t.slabs = (int)min((int64_t)s.slabs, s.outer - t.slab);
    t.rows = t.slabs * s.axis;
    t.width = (int)min((int64_t)s.width, s.inner - t.column);
    return t;
}

__device__ __forceinline__ struct span
strip_row(const strips &s, const struct strip_tile &t, int row)
{
    const int64_t begin = t.first + row * s.inner;
    return span_of(begin, begin + t.width, align_down(begin, s.alignment),
                   s.alignment);
}

/* Calls visit(e, place) for the elements that bulk copies do not reach, and
 * their places in shared memory; one warp per row. Rows without a bulk part use
 * a separate rolled loop: they are rare, and unrolled code would be most of the
 * kernel. */
template <class Visit>
__device__ __forceinline__ void
strip_ends(const strips &s, const struct strip_tile &t, Visit visit)
{
    const int lane = threadIdx.x % 32, first = threadIdx.x / 32;
#pragma unroll 4
    for (int row = first; row < t.rows; row += kStripThreads / 32) {
        const struct span r = strip_row(s, t, row);
        const int64_t e = /* at most 15 at either end */
            lane < 16 ? r.begin + lane : r.bulk_end + (lane - 16);
        if (r.bulk_begin < r.bulk_end && e < (lane < 16 ? r.bulk_begin : r.end))
            visit(e, (int)(e + row * s.pitch - r.origin));
    }
    if (s.alignment.common && t.width >= kStripEnds + kAlignment)
        return;
#pragma unroll 1
    for (int row = first; row < t.rows; row += kStripThreads / 32) {
        const struct span r = strip_row(s, t, row);
        if (r.bulk_begin < r.bulk_end)
            continue;
#pragma unroll 1
        for (int64_t e = r.begin + lane; e < r.end; e += 32)
            visit(e, (int)(e + row * s.pitch - r.origin));
    }
}

#if HAS_BULK_COPY
/* Requests a tile's rows; the block's first warp does. */
template <bool Masked, class T>
__device__ __forceinline__ void
strip_start(const strips &s, const struct strip_tile &t, const T *in,
            const uint8_t *mask, T *x, uint8_t *m, uint64_t *barrier)
{
    const int lane = threadIdx.x;
    if (lane >= 32)
        return;
    unsigned bytes = 0;
#pragma unroll 1
    for (int row = lane; row < t.rows; row += 32) {
        const struct span r = strip_row(s, t, row);
        bytes += (unsigned)(r.bulk_end - r.bulk_begin) *
                 (unsigned)(sizeof(T) + Masked);
    }
    bytes = __reduce_add_sync(kWholeWarp, bytes);
    if (lane == 0)
        bulk_expect(barrier, bytes);
    __syncwarp();
    const uint64_t policy = evict_last_policy();
#pragma unroll 1
    for (int row = lane; row < t.rows; row += 32) {
        const struct span r = strip_row(s, t, row);
        const unsigned count = (unsigned)(r.bulk_end - r.bulk_begin);
        const int to = row * s.pitch + (int)(r.bulk_begin - r.origin);
        if (!count)
            continue;
        bulk_load_kept(x + to, in + r.bulk_begin, count * (unsigned)sizeof(T),
                       barrier, policy);
        if (Masked)
            bulk_load_kept(m + to, mask + r.bulk_begin, count, barrier, policy);
    }
}
__device__ __forceinline__ void strip_await(uint64_t *barrier, unsigned *parity)
{
    bulk_wait(barrier, *parity);
    *parity ^= 1;
}
#else
/* Copies a tile's rows, Group threads per row. */
template <bool Masked, int Group, class T>
__device__ __forceinline__ void
strip_copy(const strips &s, const struct strip_tile &t, const T *in,
           const uint8_t *mask, T *x, uint8_t *m)
{
    const int mine = threadIdx.x % Group;
    const uint64_t policy = evict_last_policy();
    for (int row = threadIdx.x / Group; row < t.rows;
         row += kStripThreads / Group) {
        const struct span r = strip_row(s, t, row);
        const int count = (int)(r.bulk_end - r.bulk_begin);
        const int to = row * s.pitch + (int)(r.bulk_begin - r.origin);
        async_copy_run<Group>(x + to, in + r.bulk_begin, count / kVec<T>,
                              policy, mine);
        if (Masked)
            async_copy_run<Group>(m + to, mask + r.bulk_begin, count / 16,
                                  policy, mine);
    }
}

/* One warp per row, or the block if rows are few. */
template <bool Masked, class T>
__device__ __forceinline__ void
strip_start(const strips &s, const struct strip_tile &t, const T *in,
            const uint8_t *mask, T *x, uint8_t *m, uint64_t *)
{
    if (t.rows < kStripThreads / 32)
        strip_copy<Masked, kStripThreads>(s, t, in, mask, x, m);
    else
        strip_copy<Masked, 32>(s, t, in, mask, x, m);
}
__device__ __forceinline__ void strip_await(uint64_t *, unsigned *)
{
    async_wait();
}
#endif

/* Brings a tile. Every thread of the block calls it; all may then read. */
template <bool Masked, class T>
__device__ __forceinline__ void
strip_load(const strips &s, const struct strip_tile &t, const T *in,
           const uint8_t *mask, T *x, uint8_t *m, uint64_t *barrier,
           unsigned *parity)
{
    strip_start<Masked>(s, t, in, mask, x, m, barrier);
    strip_ends(s, t, [&](int64_t e, int place) {
        x[place] = in[e];
        if (Masked)
            m[place] = mask[e];
    });
    strip_await(barrier, parity);
    __syncthreads();
}

/* Sets of Vec neighbouring columns that a thread takes at a time: independent
 * chains of additions, as many as registers allow. */
template <class T, int Vec>
constexpr int kStripSets = Vec == 1   ? (sizeof(T) == 8 ? 4 : 8)
                           : Vec == 8 ? 1
                                      : 2;

/* A set of a tile, if there is one: the first row of its slab, and its first
 * column. */
struct strip_set {
    int row, column;
    bool exists;
};

/* Calls visit(sets) for all of the thread's. Single: the tile has one slab, and
 * rows are the same for all sets. */
template <int Sets, int Vec, bool Single, class Visit>
__device__ __forceinline__ void
strip_visit(const strips &s, const struct strip_tile &t, Visit visit)
{
    const int across = t.width / Vec, count = (Single ? 1 : t.slabs) * across;
    for (int i = threadIdx.x; i < count; i += Sets * kStripThreads) {
        struct strip_set sets[Sets];
#pragma unroll
        for (int k = 0; k < Sets; ++k) {
            const int item = i + k * kStripThreads;
            const int slab = Single ? 0 : (unsigned)item / (unsigned)across;
            sets[k].row = slab * s.axis;
            sets[k].column = (item - slab * across) * Vec;
            sets[k].exists = item < count;
        }
        visit(sets);
    }
}

/* The place in shared memory of a set in a row of its slab. */
__device__ __forceinline__ int strip_place(const strips &s,
                                           const struct strip_tile &t,
                                           const struct strip_set &set, int row)
{
    const int r = set.row + row;
    const unsigned off =
        (unsigned)t.first + s.alignment.lead + r * (unsigned)s.inner;
    return r * s.pitch + (int)(off % kAlignment) + set.column;
}

/* The sets of a row as they lie there; pads where there is none, or where
 * masked off. */
template <class Op, bool Masked, int Vec, class T, int Sets>
__device__ __forceinline__ void
strip_read(const strip_set (&sets)[Sets], const T *x, const uint8_t *m,
           const int (&place)[Sets], vec<T, Vec> (&values)[Sets])
{
    using Bits = words_t<vec<T, Vec>>;
#pragma unroll
    for (int k = 0; k < Sets; ++k) {
        Bits bits = pad_words<Op, Bits>();
        if (sets[k].exists)
            bits = *(const Bits *)(x + place[k]);
        if constexpr (Masked)
            if (sets[k].exists)
                bits = keep_where<Op>(
                    bits, *(const words_t<mask_vec<T, Vec>> *)(m + place[k]));
        values[k] = __builtin_bit_cast(vec<T, Vec>, bits);
    }
}

#endif
