/* SPDX-License-Identifier: MIT
 *
 * Idea     A slab, all lines of an outer index, is axis * inner elements side
 *          by side. A block walks whole slabs, some rows of one at a time,
 *          through a ring in shared memory: bulk copies bring rows and take
 *          them back, whatever bytes they begin at, and every thread scans the
 *          same columns of all of them, with what it carries in registers.
 *          Rows of halves are words, two columns each; in every second row of
 *          an odd pitch, two elements.
 * Against  slab_tiles: a tile there is a block's, so that few rows' threads
 *          must add twice, and tiles of a slab look back. column_tma_ring: a
 *          warp has a strip of columns, of rows of even pitch only.
 * Traffic  2N elements: the compulsory minimum (passes = 1).
 * Needs    compute capability 9.0; rows of at most 608 elements (of halves,
 *          1214); slabs enough for the GPU.
 * Source   none.
 * Lesson   Where lines are many, none needs to be cut: a chain that stays in
 *          one thread costs one addition an element, and no wait.
 */
#include "variants/common/bulk_hints.cuh"

constexpr int kMostThreads = 640; /* one warp of them moves */
constexpr int kMostGroups = kMostThreads - 32;
constexpr int kMostStages = 8, kLeastStages = 4;

/* How slabs are shared out, and what a block holds of them. */
struct slab_ring {
    int64_t outer, axis, elems;
    int64_t units;    /* of `many` slabs, walked side by side */
    int64_t pieces;   /* of a slab, `rows` rows each */
    int inner, many;  /* elements of a row */
    int groups, rows; /* threads of a row */
    int stages, room; /* of the ring; elements of a slab in a stage */
    int lead;         /* elements from an aligned address to the first */
    bool aligned;     /* in, mask and out alike */
};

/* ------------------------------------------------------ pieces of a slab */

/* Where a block is: a piece of all slabs of a unit. */
struct slab_step {
    int64_t unit, piece;

    __device__ __forceinline__ void next(const slab_ring &r)
    {
        if (++piece == r.pieces) {
            piece = 0;
            ++unit;
        }
    }
};

/* Rows of a step, of one slab: elements [begin, end), the first of which lies
 * at begin - origin in the slab's room. None, if there is no such slab. Bulk
 * copies bring [low, high): more than the piece, up to boundaries, as far as
 * the tensor has them; and take back [first, last): less. */
struct slab_piece {
    int64_t begin, end, origin, low, high, first, last;
    int rows;

    template <bool Reverse>
    static __device__ __forceinline__ slab_piece of(const slab_ring &r,
                                                    const slab_step &s, int k)
    {
        const int64_t slab = s.unit * r.many + k;
        const int64_t row =
            (Reverse ? r.pieces - 1 - s.piece : s.piece) * r.rows;
        slab_piece p;
        p.rows = slab < r.outer ? (int)min((int64_t)r.rows, r.axis - row) : 0;
        p.begin = (slab * r.axis + row) * r.inner;
        p.end = p.begin + (int64_t)p.rows * r.inner;
        p.origin = align_down(p.begin, r.lead);
        p.low = max(p.origin, align_down(kAlignment - 1, r.lead));
        p.high = min(align_down(p.end + kAlignment - 1, r.lead),
                     align_down(r.elems, r.lead));
        p.first = align_down(p.begin + kAlignment - 1, r.lead);
        p.last = align_down(p.end, r.lead);
        if (!r.aligned || p.rows == 0 || p.high <= p.low)
            p.low = p.high = p.end;
        if (!r.aligned || p.last <= p.first)
            p.first = p.last = p.end;
        return p;
    }
};

/* What of a piece bulk copies do not bring: at the ends of the tensor, or all
 * of it. By one warp. */
template <class T, class Scan>
__device__ __forceinline__ void fill(const slab_piece &p, const T *in,
                                     const uint8_t *mask, T *x, uint8_t *m)
{
    const auto copy = [&](int64_t from, int64_t to) {
#pragma unroll 8
        for (int64_t e = from + threadIdx.x % 32; e < to; e += 32) {
            x[e - p.origin] = in[e];
            if (Scan::masked)
                m[e - p.origin] = mask[e];
        }
    };
    copy(p.begin, min(p.low, p.end));
    copy(max(p.high, p.begin), p.end);
}

/* load: by one warp. */
template <class T, class Scan>
__device__ __forceinline__ void ask(const slab_ring &r, const slab_step &s,
                                    const T *in, const uint8_t *mask, T *x,
                                    uint8_t *m, uint64_t *loaded)
{
    constexpr unsigned kEach = (unsigned)sizeof(T) + Scan::masked;
    const int lane = (int)threadIdx.x % 32;
    unsigned bytes = 0;
    for (int k = lane; k < r.many; k += 32) {
        const auto p = slab_piece::of<Scan::reverse>(r, s, k);
        bytes += (unsigned)(p.high - p.low) * kEach;
    }
    if (r.many > 1)
        bytes = __reduce_add_sync(kWholeWarp, bytes);
    for (int k = 0; k < r.many; ++k)
        fill<T, Scan>(slab_piece::of<Scan::reverse>(r, s, k), in, mask,
                      x + k * r.room, m + k * r.room);
    __syncwarp();
    if (lane == 0)
        bulk_expect(loaded, bytes);
    __syncwarp();
    const uint64_t policy = evict_last_policy();
    for (int k = lane; k < r.many; k += 32) {
        const auto p = slab_piece::of<Scan::reverse>(r, s, k);
        const unsigned count = (unsigned)(p.high - p.low);
        const int to = k * r.room + (int)(p.low - p.origin);
        if (count == 0)
            continue;
        bulk_load_kept(x + to, in + p.low, count * (unsigned)sizeof(T), loaded,
                       policy);
        if (Scan::masked)
            bulk_load_kept(m + to, mask + p.low, count, loaded, policy);
    }
}

/* store: by one warp; each lane's copies are a group. */
template <class T, class Scan>
__device__ __forceinline__ void store(const slab_ring &r, const slab_step &s,
                                      T *out, const T *x)
{
    const uint64_t policy = evict_first_policy();
    const int lane = (int)threadIdx.x % 32;
    for (int k = lane; k < r.many; k += 32) {
        const auto p = slab_piece::of<Scan::reverse>(r, s, k);
        if (p.first < p.last)
            bulk_store_first(
                out + p.first, x + k * r.room + (int)(p.first - p.origin),
                (unsigned)((p.last - p.first) * sizeof(T)), policy);
    }
    bulk_commit();
    for (int k = 0; k < r.many; ++k) {
        const auto p = slab_piece::of<Scan::reverse>(r, s, k);
        const T *from = x + k * r.room;
        for (int64_t e = p.begin + lane; e < p.first; e += 32)
            out[e] = from[e - p.origin];
        for (int64_t e = p.last + lane; e < p.end; e += 32)
            out[e] = from[e - p.origin];
    }
}

/* ------------------------------------------------- a thread and its columns */

/* Columns a thread: of halves two, as a word wherever a row lets them be. */
template <class T>
constexpr int kColumns = sizeof(T) == 2 ? 2 : 1;
template <class T>
constexpr int kBatch = sizeof(T) == 8 ? 4 : 8; /* rows in flight */

/* A thread's columns in a row, and the running sum of each. A word may have one
 * column of another thread's, or none: it is read, but not written. */
template <class T, class Scan>
struct lanes {
    using Op = typename Scan::template op<T>;
    using Acc = typename Op::acc;
    static constexpr int kMany = kColumns<T>;
    Acc sums[kMany];
    bool mine[kMany];

    __device__ __forceinline__ void begin(void)
    {
#pragma unroll
        for (int c = 0; c < kMany; ++c)
            sums[c] = Op::identity();
    }
    template <bool Word>
    __device__ __forceinline__ void read(const T *x, const uint8_t *m,
                                         Acc (&v)[kMany]) const
    {
        if constexpr (Word) {
            const auto pair = read_vec<vec<T, kMany>>(x);
#pragma unroll
            for (int c = 0; c < kMany; ++c)
                v[c] = to_acc(pair.item[c]);
        } else {
#pragma unroll
            for (int c = 0; c < kMany; ++c)
                v[c] = to_acc(x[c]);
        }
        if constexpr (Scan::masked)
#pragma unroll
            for (int c = 0; c < kMany; ++c)
                v[c] = m[c] ? v[c] : Op::identity();
    }
    __device__ __forceinline__ void add(Acc (&v)[kMany])
    {
#pragma unroll
        for (int c = 0; c < kMany; ++c) {
            const Acc prior = sums[c];
            sums[c] = Op::combine(prior, v[c]);
            v[c] = Scan::exclusive ? prior : sums[c];
        }
    }
    template <bool Word>
    __device__ __forceinline__ void write(T *x, const Acc (&v)[kMany]) const
    {
        if constexpr (Word && kMany == 2) {
            const vec<T, kMany> pair = { from_acc<T>(v[0]), from_acc<T>(v[1]) };
            using Bits = words_t<vec<T, kMany>>;
            if (mine[0] && mine[1]) {
                *reinterpret_cast<Bits *>(x) = __builtin_bit_cast(Bits, pair);
                return;
            }
        }
#pragma unroll
        for (int c = 0; c < kMany; ++c)
            if (mine[c])
                x[c] = from_acc<T>(v[c]);
    }
};

/* Scans kBatch rows, `step` elements apart: all are read before the first is
 * written. Odd: of an odd pitch, from a row on that begins with a word. */
template <bool Odd, class T, class Scan>
__device__ __forceinline__ void scan_batch(lanes<T, Scan> &own, T *x,
                                           const uint8_t *m, int step)
{
    typename lanes<T, Scan>::Acc v[kBatch<T>][kColumns<T>];
#pragma unroll
    for (int k = 0; k < kBatch<T>; ++k) {
        if (Odd && k % 2)
            own.template read<false>(x + k * step, m + k * step, v[k]);
        else
            own.template read<true>(x + k * step, m + k * step, v[k]);
    }
#pragma unroll
    for (int k = 0; k < kBatch<T>; ++k)
        own.add(v[k]);
#pragma unroll
    for (int k = 0; k < kBatch<T>; ++k) {
        if (Odd && k % 2)
            own.template write<false>(x + k * step, v[k]);
        else
            own.template write<true>(x + k * step, v[k]);
    }
}

template <class T, class Scan>
__device__ __forceinline__ void scan_row(lanes<T, Scan> &own, T *x,
                                         const uint8_t *m, bool word)
{
    typename lanes<T, Scan>::Acc v[kColumns<T>];
    if (word)
        own.template read<true>(x, m, v);
    else
        own.template read<false>(x, m, v);
    own.add(v);
    if (word)
        own.template write<true>(x, v);
    else
        own.template write<false>(x, v);
}

/* Scans all rows of a piece; `at` is the first's place in x. */
template <class T, class Scan>
__device__ __forceinline__ void scan_rows(lanes<T, Scan> &own, T *x,
                                          const uint8_t *m, int at, int step,
                                          int rows)
{
    const bool odd = kColumns<T> == 2 && step % 2;
    if (odd && at % 2 && rows > 0) {
        scan_row(own, x + at, m + at, false);
        at += step;
        --rows;
    }
    for (; rows >= kBatch<T>; rows -= kBatch<T>, at += kBatch<T> * step) {
        if (odd)
            scan_batch<kColumns<T> == 2>(own, x + at, m + at, step);
        else
            scan_batch<false>(own, x + at, m + at, step);
    }
    for (; rows > 0; --rows, at += step)
        scan_row(own, x + at, m + at, kColumns<T> == 1 || at % 2 == 0);
}

/* ----------------------------------------------------------------- kernel */

/* The ring: a stage is loaded, scanned in place, and stored. */
template <class T>
struct ring {
    const slab_ring &r;
    T *x;
    uint8_t *m;
    uint64_t *loaded, *scanned; /* barriers of every stage */
    int stage;
    unsigned parity;

    __device__ __forceinline__ T *elems(int of) const
    {
        return x + of * r.many * r.room;
    }
    __device__ __forceinline__ uint8_t *mask(int of) const
    {
        return m + of * r.many * r.room;
    }
    __device__ __forceinline__ void next(void)
    {
        if (++stage == r.stages) {
            stage = 0;
            parity ^= 1;
        }
    }
};

/* One warp moves what the others scan. */
template <class T, class Scan>
__device__ __forceinline__ void move_slabs(ring<T> &ring, slab_step s,
                                           int64_t end, const T *in,
                                           const uint8_t *mask, T *out)
{
    const slab_ring &r = ring.r;
    slab_step later = s;
    auto ask_next = [&](int stage) {
        if (later.unit < end)
            ask<T, Scan>(r, later, in, mask, ring.elems(stage),
                         ring.mask(stage), ring.loaded + stage);
        later.next(r);
    };
    for (int stage = 0; stage + 1 < r.stages; ++stage)
        ask_next(stage);
    for (; s.unit < end; s.next(r), ring.next()) {
        bulk_wait(ring.scanned + ring.stage, ring.parity);
        store<T, Scan>(r, s, out, ring.elems(ring.stage));
        stores_left<1>(); /* the stage before has left: it is filled again */
        __syncwarp();
        ask_next(ring.stage ? ring.stage - 1 : r.stages - 1);
    }
    bulk_drain();
}

/* The others: each thread scans its columns of a slab of every unit. */
template <class T, class Scan>
__device__ __forceinline__ void scan_slabs(ring<T> &ring, slab_step s,
                                           int64_t end)
{
    constexpr int kMany = kColumns<T>;
    const slab_ring &r = ring.r;
    const int slab = (int)threadIdx.x / r.groups;
    const int group = (int)threadIdx.x - slab * r.groups;
    lanes<T, Scan> own;
    for (; s.unit < end; s.next(r), ring.next()) {
        bulk_wait(ring.loaded + ring.stage, ring.parity);
        if (slab < r.many) {
            const auto p = slab_piece::of<Scan::reverse>(r, s, slab);
            int at = (int)(p.begin - p.origin);
            /* Of an even pitch, all words begin where the first row's do. */
            const int column =
                group * kMany - (kMany == 2 && r.inner % 2 == 0 ? at & 1 : 0);
#pragma unroll
            for (int c = 0; c < kMany; ++c)
                own.mine[c] = column + c >= 0 && column + c < r.inner;
            at += slab * r.room + column +
                  (Scan::reverse ? (p.rows - 1) * r.inner : 0);
            if (s.piece == 0)
                own.begin();
            if (column < r.inner)
                scan_rows(own, ring.elems(ring.stage), ring.mask(ring.stage),
                          at, Scan::reverse ? -r.inner : r.inner, p.rows);
        }
        bulk_fence();
        __syncwarp();
        if (threadIdx.x % 32 == 0)
            bulk_expect(ring.scanned + ring.stage, 0); /* arrives */
    }
}

template <class T, class Scan>
static __global__ void __launch_bounds__(kMostThreads, 1)
    slab_tma_ring(const T *__restrict__ in, const uint8_t *__restrict__ mask,
                  T *__restrict__ out, const struct slab_ring r)
{
#if HAS_BULK_COPY
    extern __shared__ __align__(128) char memory[];
    __shared__ uint64_t loaded[kMostStages], scanned[kMostStages];
    T *const x = (T *)memory;
    ring<T> ring = {
        r, x, (uint8_t *)(x + r.stages * r.many * r.room), loaded, scanned, 0, 0
    };
    const int movers = (int)blockDim.x - 32;
    if (threadIdx.x == 0)
        for (int stage = 0; stage < r.stages; ++stage) {
            bulk_init(loaded + stage, 1);
            bulk_init(scanned + stage, (unsigned)movers / 32);
        }
    __syncthreads();
    const slab_step s = { r.units * blockIdx.x / gridDim.x, 0 };
    const int64_t end = r.units * (blockIdx.x + 1) / gridDim.x;
    if ((int)threadIdx.x >= movers)
        move_slabs<T, Scan>(ring, s, end, in, mask, out);
    else
        scan_slabs<T, Scan>(ring, s, end);
#endif
}

/* ------------------------------------------------------------------ host */

/* Blocks an SM, and the slabs that each walks side by side: threads enough to
 * keep a multiprocessor busy, but no fewer blocks than multiprocessors. All
 * blocks have the same number of units. */
static struct slab_ring slab_ring_of(const struct problem *p, int *threads,
                                     int64_t *blocks, int most)
{
    constexpr int64_t kThreads = 128; /* of a block, and more if rows do */
    const int bytes = (int)dtype_bytes(p->dtype);
    const int in_lead = (int)((uintptr_t)p->in % 16 / bytes);
    const int64_t sms = p->device->sm_count;
    struct slab_ring r = { .outer = p->shape.outer,
                           .axis = p->shape.axis,
                           .elems = shape_elems(p->shape),
                           .inner = (int)p->shape.inner };
    r.lead = p->mask ? (int)((uintptr_t)p->mask % kAlignment) : in_lead;
    r.aligned = (uintptr_t)p->in % 16 == (uintptr_t)p->out % 16 &&
                r.lead % (16 / bytes) == in_lead;
    r.groups = bytes == 2 ? r.inner / 2 + 1 : r.inner;
    int64_t many = kThreads / r.groups;
    const int64_t spread = r.outer / (most * sms);
    many = many < spread ? many : spread;
    r.many = (int)(many > 1 ? many : 1);
    r.units = ceil_div(r.outer, r.many);
    *threads = (int)ceil_div(r.many * r.groups, 32) * 32 + 32;

    int64_t resident = kMostThreads / *threads; /* its registers */
    resident = resident < most ? resident : most;
    *blocks = ceil_div(r.units, ceil_div(r.units, sms * resident));
    const int64_t room =
        p->device->shared_per_sm_bytes / ceil_div(*blocks, sms) -
        2048; /* the driver's share, and the barriers */
    const int64_t each = bytes + (op_has_mask(p->op) ? 1 : 0);
    const int64_t held = (room < p->device->shared_optin_bytes - 1024
                              ? room
                              : p->device->shared_optin_bytes - 1024) /
                         each / r.many;
    /* Two boundaries of every piece, and one to round up to. */
    int64_t rows = (held / kLeastStages - 3 * kAlignment) / r.inner;
    rows = rows < r.axis ? rows : r.axis;
    r.rows = (int)(rows > 1 ? rows : 1);
    r.pieces = ceil_div(r.axis, r.rows);
    r.rows = (int)ceil_div(r.axis, r.pieces);
    r.room = (r.rows * r.inner + 3 * kAlignment - 1) / kAlignment * kAlignment;
    const int64_t stages = held / r.room;
    r.stages = (int)(stages < kMostStages ? stages : kMostStages);
    return r;
}

template <int Most>
static int launch(const struct problem *p, void *stream)
{
    int threads;
    int64_t blocks;
    const struct slab_ring r = slab_ring_of(p, &threads, &blocks, Most);
    return dispatch_scan(p, [&](auto type, auto scan) -> int {
        using T = typename decltype(type)::type;
        using Scan = decltype(scan);
        const auto kernel = slab_tma_ring<T, Scan>;
        const int bytes =
            r.stages * r.many * r.room * ((int)sizeof(T) + Scan::masked);
        const int error = bulk_room(kernel, bytes);
        if (error != cudaSuccess)
            return error;
        kernel<<<(unsigned)blocks, threads, bytes, (cudaStream_t)stream>>>(
            (const T *)p->in, p->mask, (T *)p->out, r);
        return cudaGetLastError();
    });
}

static const char *refuses(const struct problem *p)
{
    const int64_t bytes = dtype_bytes(p->dtype);
    const int64_t row =
        (p->shape.inner + 3 * kAlignment) * (bytes + op_has_mask(p->op));
    if (p->shape.inner < 2)
        return "serves strided lines only (inner >= 2)";
    if (p->shape.inner > (bytes == 2 ? 2 * kMostGroups - 2 : kMostGroups))
        return "serves rows of up to 608 elements (of halves, 1214); wider "
               "ones have column_lookback";
    if (p->device && p->device->compute_capability >= 90 &&
        kLeastStages * row + 1024 > p->device->shared_optin_bytes)
        return "the ring does not fit in shared memory";
    return bulk_lacking(p);
}

/* Blocks an SM at most. */
#define POINT(most)                                                            \
    {                                                                          \
        .name = "slab_tma_ring_x" #most,                                       \
        .idea = "a block walks whole slabs through a ring",                    \
        .runs_on = DEVICE_CUDA, .ops = OPS_SCAN, .dtypes = DTYPES_ALL,         \
        .passes = 1, .error_growth = ERROR_SERIAL, .deterministic = true,      \
        .refuses = refuses, .launch = launch<most>                             \
    }

VARIANTS(scan__slab_tma_ring) = {
    POINT(4),
    {},
};
