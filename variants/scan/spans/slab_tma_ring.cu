/* SPDX-License-Identifier: MIT
 *
 * Idea     A slab, all lines of an outer index, is axis * inner contiguous
 *          elements. Each block walks whole slabs, some rows at a time, through
 *          a ring in shared memory: bulk copies load and store the rows,
 *          wherever these begin, and each thread scans the same columns of all
 *          rows, with its running sums in registers. Halves are read as words,
 *          two columns each, except in every second row of an odd pitch.
 * Against  slab_tiles: there each block owns one tile, so threads along the
 *          axis must add twice, and the tiles of a slab look back.
 *          column_tma_ring: there each warp owns a strip of columns, and rows
 *          have an even pitch.
 * Traffic  2N elements: the compulsory minimum (passes = 1).
 * Needs    compute capability 9.0; rows of 64 to 608 elements (halves: 1214);
 *          enough slabs to fill the GPU.
 * Source   none.
 * Lesson   Many lines need no cuts: a chain within a thread costs one addition
 *          per element.
 */
#include "variants/common/access/bulk_hints.cuh"
#include "variants/common/kernel.cuh"

/* Other families are as fast with operators other than addition on doubles. */
constexpr unsigned kNeeds = NEEDS_FOUR_BYTES;

constexpr int kMostThreads = 640; /* the last warp moves, the others scan */
constexpr int kMostGroups = kMostThreads - 32;
constexpr int kResidents = 4; /* blocks per SM */
constexpr int kMostStages = 8, kLeastStages = 4;
constexpr int kLeastInner = 64;

struct slab_ring {
    int64_t outer, axis, elems;
    int64_t pieces;   /* per slab, `rows` rows each */
    int inner, rows;  /* elements of a row, rows of a piece */
    int stages, room; /* stages of the ring, elements of each */
    struct alignment alignment;
};

/* ------------------------------------------------------ pieces of a slab */

/* The position of a block. Slabs are dealt out to the blocks in memory order,
 * which balances the load of the SMs and keeps all blocks within one window of
 * memory. */
struct slab_step {
    int64_t slab, piece;

    __device__ __forceinline__ void next(const slab_ring &r)
    {
        if (++piece == r.pieces) {
            piece = 0;
            slab += gridDim.x;
        }
    }
};

/* Rows of a slab: elements [begin, end), the first of which lies at begin -
 * origin in its stage. Bulk copies load [low, high), which extends to the
 * boundaries outside if the tensor does, and store [first, last), which ends at
 * the boundaries inside. */
struct slab_piece {
    int64_t begin, end, origin, low, high, first, last;
    int rows;

    template <bool Reverse>
    static __device__ __forceinline__ slab_piece of(const slab_ring &r,
                                                    const slab_step &s)
    {
        const int64_t row =
            (Reverse ? r.pieces - 1 - s.piece : s.piece) * r.rows;
        slab_piece p;
        p.rows = (int)min((int64_t)r.rows, r.axis - row);
        p.begin = (s.slab * r.axis + row) * r.inner;
        p.end = p.begin + (int64_t)p.rows * r.inner;
        p.origin = align_down(p.begin, r.alignment);
        p.low = max(p.origin, align_down(kAlignment - 1, r.alignment));
        p.high = min(align_down(p.end + kAlignment - 1, r.alignment),
                     align_down(r.elems, r.alignment));
        p.first = align_down(p.begin + kAlignment - 1, r.alignment);
        p.last = align_down(p.end, r.alignment);
        if (!r.alignment.common || p.high <= p.low)
            p.low = p.high = p.end;
        if (!r.alignment.common || p.last <= p.first)
            p.first = p.last = p.end;
        return p;
    }
};

/* Calls visit(e) for elements [from, to). One warp calls it. */
template <class Visit>
__device__ __forceinline__ void each_element(int64_t from, int64_t to,
                                             Visit visit)
{
#pragma unroll 4
    for (int64_t e = from + threadIdx.x % 32; e < to; e += 32)
        visit(e);
}

/* load, called by one warp. Elements that bulk copies do not load, at the ends
 * of the tensor or all, are loaded singly. */
template <class T, class Scan>
__device__ __forceinline__ void load(const slab_ring &r, const slab_step &s,
                                     const T *in, const uint8_t *mask, T *x,
                                     uint8_t *m, uint64_t *loaded)
{
    const auto p = slab_piece::of<Scan::reverse>(r, s);
    const auto copy = [&](int64_t e) {
        x[e - p.origin] = in[e];
        if (Scan::masked)
            m[e - p.origin] = mask[e];
    };
    each_element(p.begin, min(p.low, p.end), copy);
    each_element(max(p.high, p.begin), p.end, copy);
    __syncwarp();
    if (threadIdx.x % 32 != 0)
        return;
    const unsigned count = (unsigned)(p.high - p.low);
    const int to = (int)(p.low - p.origin);
    const uint64_t policy = evict_last_policy();
    bulk_expect(loaded, count * (unsigned)(sizeof(T) + Scan::masked));
    if (count == 0)
        return;
    bulk_load_kept(x + to, in + p.low, count * (unsigned)sizeof(T), loaded,
                   policy);
    if (Scan::masked)
        bulk_load_kept(m + to, mask + p.low, count, loaded, policy);
}

/* store, called by one warp. The first lane's bulk copy is a group. */
template <class T, class Scan>
__device__ __forceinline__ void store(const slab_ring &r, const slab_step &s,
                                      T *out, const T *x)
{
    const auto p = slab_piece::of<Scan::reverse>(r, s);
    if (threadIdx.x % 32 == 0) {
        if (p.first < p.last)
            bulk_store_first(out + p.first, x + (int)(p.first - p.origin),
                             (unsigned)((p.last - p.first) * sizeof(T)),
                             evict_first_policy());
        bulk_commit();
    }
    const auto copy = [&](int64_t e) { out[e] = x[e - p.origin]; };
    each_element(p.begin, p.first, copy);
    each_element(p.last, p.end, copy);
}

/* ------------------------------------------------- a thread and its columns */

/* Columns per thread: two of halves, which are accessed as a word where they
 * are aligned. */
template <class T>
constexpr int kColumns = is_half<T> ? 2 : 1;

/* Rows that a thread reads before it writes the first. */
template <class Acc>
constexpr int kBatch = 32 / (int)sizeof(Acc);

__device__ __forceinline__ void store_if(void *to, uint32_t x, bool yes)
{
    asm volatile("{\n\t.reg .pred p;\n\tsetp.ne.u32 p, %2, 0;\n\t"
                 "@p st.shared.b32 [%0], %1;\n\t}" ::"r"(shared_address(to)),
                 "r"(x), "r"((unsigned)yes)
                 : "memory");
}
__device__ __forceinline__ void store_if(void *to, uint16_t x, bool yes)
{
    asm volatile("{\n\t.reg .pred p;\n\tsetp.ne.u32 p, %2, 0;\n\t"
                 "@p st.shared.b16 [%0], %1;\n\t}" ::"r"(shared_address(to)),
                 "h"(x), "r"((unsigned)yes)
                 : "memory");
}

/* A thread's columns in a row, and the running sum of each. Where words do not
 * begin with the row, the first and the last have one column only (`mine`): the
 * other half belongs to a column of the row before or behind, whose warp may
 * store it while this thread loads the word. Racecheck reports that hazard; no
 * result depends on it. The half in question enters a sum of its own, which
 * write() never stores; this thread's half is stored by no other thread, as
 * write() stores a shared word in halves, and those stores change 2 bytes. */
template <class T, class Scan>
struct lanes {
    using Op = typename Scan::template op<T>;
    using Acc = typename Op::acc;
    static constexpr int kMany = kColumns<T>;
    Acc sums[kMany];
    bool mine[kMany]; /* the columns that exist */

    __device__ __forceinline__ void begin(void)
    {
        set_identity<Op>(sums);
    }
    /* word: the columns are an aligned word; a constant after unrolling. */
    __device__ __forceinline__ void read(const T *x, const uint8_t *m,
                                         bool word, Acc (&v)[kMany]) const
    {
        vec<T, kMany> pair;
        if (kMany == 2 && word)
            pair = read_vec<vec<T, kMany>>(x);
        else
#pragma unroll
            for (int c = 0; c < kMany; ++c)
                pair.item[c] = x[c];
#pragma unroll
        for (int c = 0; c < kMany; ++c)
            v[c] = Op::lift(pair.item[c]);
        if constexpr (Scan::masked)
#pragma unroll
            for (int c = 0; c < kMany; ++c)
                v[c] = m[c] ? v[c] : Op::identity();
    }
    __device__ __forceinline__ void add(Acc (&v)[kMany])
    {
#pragma unroll
        for (int c = 0; c < kMany; ++c)
            v[c] = scan_step<Scan>(sums[c], Op::combine(sums[c], v[c]));
    }
    /* Words are stored with predicates instead of branches, because the lanes
     * of a warp may differ in which halves exist. */
    __device__ __forceinline__ void write(T *x, bool word,
                                          const Acc (&v)[kMany]) const
    {
        if constexpr (kMany == 2)
            if (word) {
                const vec<T, kMany> pair = { Op::lower(v[0]), Op::lower(v[1]) };
                const auto bits =
                    __builtin_bit_cast(words_t<vec<T, kMany>>, pair);
                store_if(x, bits, mine[0] && mine[1]);
                store_if(x, (uint16_t)bits, mine[0] && !mine[1]);
                store_if(x + 1, (uint16_t)(bits >> 16), mine[1] && !mine[0]);
                return;
            }
#pragma unroll
        for (int c = 0; c < kMany; ++c)
            if (mine[c])
                x[c] = Op::lower(v[c]);
    }
};

/* Scans `rows` rows, or kBatch if All, `step` elements apart. Odd: the pitch is
 * odd, and the columns of the first row are an aligned word. */
template <bool Odd, bool All, class T, class Scan>
__device__ __forceinline__ void scan_batch(lanes<T, Scan> &own, T *x,
                                           const uint8_t *m, int step, int rows)
{
    using Acc = typename lanes<T, Scan>::Acc;
    constexpr int kRows = kBatch<Acc>;
    Acc v[kRows][kColumns<T>];
#pragma unroll
    for (int k = 0; k < kRows; ++k)
        if (All || k < rows)
            own.read(x + k * step, m + k * step, !Odd || k % 2 == 0, v[k]);
#pragma unroll
    for (int k = 0; k < kRows; ++k)
        if (All || k < rows)
            own.add(v[k]);
#pragma unroll
    for (int k = 0; k < kRows; ++k)
        if (All || k < rows)
            own.write(x + k * step, !Odd || k % 2 == 0, v[k]);
}

template <bool Odd, class T, class Scan>
__device__ __forceinline__ void scan_rows(lanes<T, Scan> &own, T *x,
                                          const uint8_t *m, int step, int rows)
{
    constexpr int kRows = kBatch<typename lanes<T, Scan>::Acc>;
    for (; rows >= kRows; rows -= kRows) {
        scan_batch<Odd, true>(own, x, m, step, rows);
        x += kRows * step;
        m += kRows * step;
    }
    if (rows > 0)
        scan_batch<Odd, false>(own, x, m, step, rows);
}

/* Scans all rows of a piece; `at` is the first's place in x. */
template <class T, class Scan>
__device__ __forceinline__ void scan_piece(lanes<T, Scan> &own, T *x,
                                           const uint8_t *m, int at, int step,
                                           int rows)
{
    if constexpr (kColumns<T> == 2)
        if (step % 2) {
            if (at % 2) { /* a first row whose columns are not aligned */
                typename lanes<T, Scan>::Acc v[kColumns<T>];
                own.read(x + at, m + at, false, v);
                own.add(v);
                own.write(x + at, false, v);
                at += step;
                --rows;
            }
            scan_rows<true>(own, x + at, m + at, step, rows);
            return;
        }
    scan_rows<false>(own, x + at, m + at, step, rows);
}

/* ----------------------------------------------------------------- kernel */

/* The ring. A stage is loaded, scanned in place, and stored. */
template <class T>
struct ring {
    const slab_ring &r;
    T *x;
    uint8_t *m;
    uint64_t *loaded, *scanned; /* a barrier per stage */
    int stage;
    unsigned parity; /* for the stage's barriers */

    __device__ __forceinline__ void next(void)
    {
        if (++stage == r.stages) {
            stage = 0;
            parity ^= 1;
        }
    }
};

/* The last warp: it loads and stores the stages. */
template <class T, class Scan>
__device__ __forceinline__ void
move_slabs(ring<T> &ring, slab_step s, const T *in, const uint8_t *mask, T *out)
{
    const slab_ring &r = ring.r;
    slab_step later = s;
    auto load_next = [&](int stage) {
        if (later.slab < r.outer)
            load<T, Scan>(r, later, in, mask, ring.x + stage * r.room,
                          ring.m + stage * r.room, ring.loaded + stage);
        later.next(r);
    };
    for (int stage = 0; stage + 1 < r.stages; ++stage)
        load_next(stage);
    for (; s.slab < r.outer; s.next(r), ring.next()) {
        bulk_wait(ring.scanned + ring.stage, ring.parity);
        store<T, Scan>(r, s, out, ring.x + ring.stage * r.room);
        bulk_wait_read<1>(); /* the previous stage is stored: it is free */
        __syncwarp();
        load_next(ring.stage ? ring.stage - 1 : r.stages - 1);
    }
    bulk_wait_read();
}

/* The other warps: each thread scans its columns. */
template <class T, class Scan>
__device__ __forceinline__ void scan_slabs(ring<T> &ring, slab_step s)
{
    constexpr int kMany = kColumns<T>;
    const slab_ring &r = ring.r;
    lanes<T, Scan> own;
    for (; s.slab < r.outer; s.next(r), ring.next()) {
        bulk_wait(ring.loaded + ring.stage, ring.parity);
        const auto p = slab_piece::of<Scan::reverse>(r, s);
        const int at = (int)(p.begin - p.origin);
        /* With an even pitch, the words of all rows begin where the first row's
         * do. */
        const int column = (int)threadIdx.x * kMany -
                           (kMany == 2 && r.inner % 2 == 0 ? at & 1 : 0);
#pragma unroll
        for (int c = 0; c < kMany; ++c)
            own.mine[c] = column + c >= 0 && column + c < r.inner;
        if (s.piece == 0)
            own.begin();
        if (column < r.inner)
            scan_piece(
                own, ring.x + ring.stage * r.room, ring.m + ring.stage * r.room,
                at + column + (Scan::reverse ? (p.rows - 1) * r.inner : 0),
                Scan::reverse ? -r.inner : r.inner, p.rows);
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
    TAG(fast);
#if HAS_BULK_COPY
    extern __shared__ __align__(128) char memory[];
    __shared__ uint64_t loaded[kMostStages], scanned[kMostStages];
    T *const x = (T *)memory;
    uint8_t *const m = (uint8_t *)(x + r.stages * r.room);
    ring<T> ring = { r, x, m, loaded, scanned, 0, 0 };
    const int scanners = (int)blockDim.x - 32; /* threads */
    if (threadIdx.x == 0)
        for (int stage = 0; stage < r.stages; ++stage) {
            bulk_init(loaded + stage, 1);
            bulk_init(scanned + stage, (unsigned)scanners / 32);
        }
    __syncthreads();
    if ((int)threadIdx.x >= scanners)
        move_slabs<T, Scan>(ring, { blockIdx.x, 0 }, in, mask, out);
    else
        scan_slabs<T, Scan>(ring, { blockIdx.x, 0 });
#endif
}

/* ------------------------------------------------------------------ host */

/* As many blocks per SM as fit, and rings that fill its shared memory. */
static struct slab_ring slab_ring_of(const struct problem *p, int *threads,
                                     int64_t *blocks)
{
    const int bytes = (int)dtype_bytes(p->dtype);
    const int each = bytes + (op_has_mask(p->op) ? 1 : 0);
    const int64_t sms = p->device->sm_count;
    struct slab_ring r = { .outer = p->shape.outer,
                           .axis = p->shape.axis,
                           .elems = shape_elems(p->shape),
                           .inner = (int)p->shape.inner,
                           .alignment = alignment_of(p) };
    const int groups = bytes == 2 ? r.inner / 2 + 1 : r.inner;
    *threads = (int)ceil_div(groups, 32) * 32 + 32;

    /* Blocks that registers and shared memory of an SM suffice for. */
    constexpr int64_t kOverhead = 2048; /* the driver's and the barriers' */
    const int64_t least =
        kLeastStages * (r.inner + 3 * kAlignment) * each + kOverhead;
    int64_t fit = p->device->shared_per_sm_bytes / least;
    fit = fit < kMostThreads / *threads ? fit : kMostThreads / *threads;
    *blocks = sms * (fit < kResidents ? fit : kResidents);
    *blocks = *blocks < r.outer ? *blocks : r.outer;
    const int64_t share =
        p->device->shared_per_sm_bytes / ceil_div(*blocks, sms) - kOverhead;
    const int64_t most = p->device->shared_optin_bytes - 1024;
    const int64_t held = (share < most ? share : most) / each;
    /* A piece extends to a boundary at either end, and a stage is rounded up to
     * one. */
    int64_t rows = (held / kLeastStages - 3 * kAlignment) / r.inner;
    rows = rows < r.axis ? rows : r.axis;
    r.pieces = ceil_div(r.axis, rows > 1 ? rows : 1);
    r.rows = (int)ceil_div(r.axis, r.pieces);
    r.room = (r.rows * r.inner + 3 * kAlignment - 1) / kAlignment * kAlignment;
    const int64_t stages = held / r.room;
    r.stages = (int)(stages < kMostStages ? stages : kMostStages);
    return r;
}

static int launch(const struct problem *p, void *stream)
{
    int threads;
    int64_t blocks;
    const struct slab_ring r = slab_ring_of(p, &threads, &blocks);
    return dispatch_scan<kNeeds>(
        p, [&]<class T, class Scan>(tag<T>, Scan) -> int {
            const auto kernel = slab_tma_ring<T, Scan>;
            const int bytes =
                r.stages * r.room * ((int)sizeof(T) + Scan::masked);
            return bulk_launch(kernel, blocks, threads, bytes, stream, p->in,
                               p->mask, p->out, r);
        });
}

static const char *refuses(const struct problem *p)
{
    const int64_t bytes = dtype_bytes(p->dtype);
    const int64_t row =
        (p->shape.inner + 3 * kAlignment) * (bytes + op_has_mask(p->op));
    if (p->shape.inner < kLeastInner)
        return "serves rows of 64 elements and more; narrower ones have "
               "slab_tiles";
    if (p->shape.inner > (bytes == 2 ? 2 * kMostGroups - 2 : kMostGroups))
        return "serves rows of up to 608 elements (of halves, 1214); wider "
               "ones have column_lookback";
    if (p->device && p->device->compute_capability >= 90 &&
        kLeastStages * row + 1024 > p->device->shared_optin_bytes)
        return "the ring does not fit in shared memory";
    return bulk_lacking(p);
}

/* Every slab is a chain: with one per four multiprocessors or fewer, the bytes
 * in flight are too few. */
static bool idles(const struct problem *p)
{
    return p->device && 4 * p->shape.outer <= p->device->sm_count;
}

VARIANTS(scan__slab_tma_ring) = {
    {
        .name = "slab_tma_ring_x4",
        .idea = "a block walks whole slabs through a ring",
        ON_CUDA(scans<kNeeds>(), 1),
        .error_growth = ERROR_SERIAL,
        .deterministic = true,
        .refuses = refuses,
        .launch = launch,
        .idles = idles,
        .monotone = true,
    },
    {},
};
