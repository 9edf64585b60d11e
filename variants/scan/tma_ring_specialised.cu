/* SPDX-License-Identifier: MIT
 *
 * Idea     Warps with roles: one thread of a copying warp asks for whole tiles
 *          and sends them off, and does nothing else; the other warps scan
 *          them in place, and never wait for a store. The blocks persist and
 *          draw the next line in order, so that the ring goes on from line to
 *          line and no block falls behind.
 * Against  tma_ring: there each warp copies its own part, between two scans;
 *          here copies are a tile each, and go on whatever the scanning warps
 *          do, at the price of a second wait (for all of them) a tile. It
 *          gains on the persistent point by drawing lines in order, yet many
 *          short visits to distant lines stay behind whole lines at once.
 * Traffic  2N elements: the compulsory minimum (passes = 1).
 * Needs    inner == 1; compute capability 9.0. Lines off 16-byte boundaries
 *          are moved in single elements, without a pipeline.
 * Source   none.
 */
#include "variants/scan/shared_section.cuh"

struct walk {
    int64_t lines, axis, tiles;
    int share, tile; /* elements of a warp in a tile, and of a tile */
    bool bulk;
};

/* Elements of a line from `first` on, `most` of them at most. */
__device__ __forceinline__ int count_from(const struct walk &w, int64_t first,
                                          int most)
{
    const int64_t left = w.axis - first;
    return left < 0 ? 0 : left < most ? (int)left : most;
}

/* A tile of a line; all lines from `lines` on mean that there is no more. */
struct place {
    int64_t line, tile;
};

/* The copying thread tells a slot's line before its barrier, and the scanning
 * warps look behind it; who scans knows the tile. Atomic, as racecheck follows
 * no mbarrier from warp to warp. */
__device__ __forceinline__ void tell(unsigned long long *line, int64_t number)
{
    atomicExch(line, (unsigned long long)number);
}

__device__ __forceinline__ int64_t told(unsigned long long *line)
{
    unsigned long long number = 0;
    if (threadIdx.x % 32 == 0)
        number = atomicCAS(line, 0ull, 0ull); /* reads only */
    return (int64_t)__shfl_sync(kWholeWarp, number, 0);
}

/* A ring of tiles, with two barriers a slot: the copying thread arrives at the
 * first, the scanning warps at the second. */
template <class T>
struct ring {
    T *x;
    uint8_t *m;
    struct place *what; /* for the copying thread alone */
    unsigned long long *lines;
    uint64_t *loaded, *scanned;
};

/* ------------------------------------------------------- the copying thread */

/* Its way through the lines: it draws the next one's number a line ahead. */
struct drawn {
    unsigned long long *ticket;
    struct place now;
    int64_t next;
};

template <bool Reverse>
__device__ __forceinline__ void draw(struct drawn *d, int64_t tiles)
{
    d->now = { d->next, Reverse ? tiles - 1 : 0 };
    d->next = (int64_t)atomicAdd(d->ticket, 1ull);
}

/* Fills slot k with the next tile, or says that there is none. */
template <class T, class Scan, int Elems>
__device__ __forceinline__ void ask(const T *in, const uint8_t *mask,
                                    const struct walk &w, struct drawn *d,
                                    const struct ring<T> &r, int k)
{
    const int64_t first = d->now.tile * w.tile;
    const int64_t at = d->now.line * w.axis + first;
    const unsigned count =
        w.bulk && d->now.line < w.lines ? count_from(w, first, w.tile) : 0;
    r.what[k] = d->now;
    tell(&r.lines[k], d->now.line);
    bulk_expect(&r.loaded[k], count * (unsigned)(sizeof(T) + Scan::masked));
    if (count) {
        bulk_load(r.x + k * Elems, in + at, count * (unsigned)sizeof(T),
                  &r.loaded[k]);
        if (Scan::masked)
            bulk_load(r.m + k * Elems, mask + at, count, &r.loaded[k]);
    }
    if (d->now.line >= w.lines)
        return;
    d->now.tile += Scan::reverse ? -1 : 1;
    if (d->now.tile < 0 || d->now.tile >= w.tiles)
        draw<Scan::reverse>(d, w.tiles);
}

/* Slots are filled again once their store has been read, a tile later. */
template <class T, class Scan, int Elems, int Stages>
__device__ __forceinline__ void
copy_tiles(const T *in, const uint8_t *mask, T *out, const struct walk &w,
           const struct ring<T> &r, unsigned long long *ticket)
{
    struct drawn d = { ticket, {}, (int64_t)atomicAdd(ticket, 1ull) };
    draw<Scan::reverse>(&d, w.tiles);
    for (int k = 0; k < Stages - 1; ++k)
        ask<T, Scan, Elems>(in, mask, w, &d, r, k);
    unsigned parity = 0;
    for (int slot = 0;;) {
        const struct place now = r.what[slot];
        if (now.line >= w.lines)
            break;
        bulk_wait(&r.scanned[slot], parity);
        const int64_t first = now.tile * w.tile;
        if (w.bulk)
            bulk_store(out + now.line * w.axis + first, r.x + slot * Elems,
                       count_from(w, first, w.tile) * (unsigned)sizeof(T));
        stores_left<1>();
        ask<T, Scan, Elems>(in, mask, w, &d, r, slot ? slot - 1 : Stages - 1);
        slot = slot + 1 < Stages ? slot + 1 : 0;
        parity ^= slot == 0;
    }
    stores_left<0>(); /* shared memory goes back */
}

/* ------------------------------------------------------- the scanning warps */

/* Without bulk copies they load and store their sections too. */
template <class T, class Scan, int Warps, int Elems, int Stages>
__device__ __forceinline__ void
scan_tiles(const T *in, const uint8_t *mask, T *out, const struct walk &w,
           const struct ring<T> &r, acc_t<T> (&totals)[2][Warps])
{
    using Acc = acc_t<T>;
    using Scanners = counting_barrier<Warps * 32>; /* not the copying warp */
    constexpr bool kReverse = Scan::reverse;
    const int mine = threadIdx.x / 32 * w.share;
    Acc carry = 0;
    const int64_t start = kReverse ? w.tiles - 1 : 0;
    int64_t tile = start;
    int side = 0;
    unsigned parity = 0;
    for (int slot = 0;;) {
        /* load */
        bulk_wait(&r.loaded[slot], parity);
        const int64_t line = told(&r.lines[slot]);
        if (line >= w.lines)
            return;
        const int64_t first = tile * w.tile + mine;
        const int64_t at = line * w.axis + first;
        const section<T> s = { r.x + slot * Elems + mine,
                               r.m + slot * Elems + mine,
                               in + at,
                               mask + at,
                               out + at,
                               count_from(w, first, w.share) };
        if (!w.bulk)
            section_load_singly<Scan::masked>(s);

        /* upsweep, spine: two sides, hence one barrier a tile */
        Acc tile_total;
        const Acc before = warps_prefix<kReverse, Warps * 32, Scanners>(
            section_sum<Scan>(s), totals[side], &tile_total);
        side ^= 1;
        if (tile == start)
            carry = 0;

        /* downsweep, store */
        section_scan<Scan>(s, carry + before);
        carry += tile_total;
        if (!w.bulk)
            section_store(s, false);
        bulk_fence();
        __syncwarp();
        if (threadIdx.x % 32 == 0)
            bulk_expect(&r.scanned[slot], 0);
        tile += kReverse ? -1 : 1;
        if (tile < 0 || tile >= w.tiles)
            tile = start;
        slot = slot + 1 < Stages ? slot + 1 : 0;
        parity ^= slot == 0;
    }
}

/* Threads scan, and one warp more copies. */
template <class T, class Scan, int Threads, int Rows, int Stages, int Blocks>
static __global__ void __launch_bounds__(Threads + 32, Blocks)
    tma_ring_specialised(const T *__restrict__ in,
                         const uint8_t *__restrict__ mask, T *__restrict__ out,
                         const struct walk w, unsigned long long *ticket)
{
#if HAS_BULK_COPY
    constexpr int kWarps = Threads / 32, kElems = kWarps * Rows * kRow<T>;
    extern __shared__ uint4 room[];
    __shared__ acc_t<T> totals[2][kWarps];
    __shared__ uint64_t loaded[Stages], scanned[Stages];
    __shared__ struct place what[Stages];
    __shared__ unsigned long long lines[Stages];
    T *x = (T *)room;
    const struct ring<T> r = {
        x, (uint8_t *)(x + Stages * kElems), what, lines, loaded, scanned
    };
    if (threadIdx.x < Stages) {
        bulk_init(&loaded[threadIdx.x], 1);
        bulk_init(&scanned[threadIdx.x], kWarps);
    }
    __syncthreads();
    if (threadIdx.x < Threads)
        scan_tiles<T, Scan, kWarps, kElems, Stages>(in, mask, out, w, r,
                                                    totals);
    else if (threadIdx.x == Threads)
        copy_tiles<T, Scan, kElems, Stages>(in, mask, out, w, r, ticket);
#endif
}

static size_t workspace_bytes(const struct problem *)
{
    return sizeof(unsigned long long); /* the ticket */
}

template <int Threads, int Rows, int Stages, int Blocks>
static int launch(const struct problem *p, void *stream)
{
    return dispatch_scan(p, [&](auto type, auto scan) -> int {
        using T = typename decltype(type)::type;
        using Scan = decltype(scan);
        constexpr int kWarps = Threads / 32;
        const auto kernel =
            tma_ring_specialised<T, Scan, Threads, Rows, Stages, Blocks>;
        const int bytes = (int)(kWarps * Stages * Rows * kRow<T> *
                                kElemBytes<T, Scan::masked>);
        cudaError_t error = cudaFuncSetAttribute(
            kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
        if (error == cudaSuccess)
            error = cudaMemsetAsync(p->workspace, 0, workspace_bytes(p),
                                    (cudaStream_t)stream);
        if (error != cudaSuccess)
            return error;

        /* A short line is shared by all warps too. */
        struct walk w = { shape_lines(p->shape), p->shape.axis };
        w.bulk = bulk_aligned<T>(p);
        const int64_t need = ceil_div(w.axis, kWarps * kRow<T>);
        w.share = (int)(need < Rows ? need : Rows) * kRow<T>;
        w.tile = w.share * kWarps;
        w.tiles = ceil_div(w.axis, w.tile);
        const int64_t wave = (int64_t)p->device->sm_count * Blocks;
        const int64_t blocks = w.lines < wave ? w.lines : wave;
        kernel<<<grid_x(blocks), Threads + 32, bytes, (cudaStream_t)stream>>>(
            (const T *)p->in, p->mask, (T *)p->out, w,
            (unsigned long long *)p->workspace);
        return cudaGetLastError();
    });
}

/* Items of an f32 tile a thread: rows of four. A tile of doubles has half as
 * many. */
#define POINT(stages, blocks, threads, items)                                  \
    {                                                                          \
        .name = "tma_ring_specialised_s" #stages "_b" #threads "_i" #items,    \
        .idea = "one warp copies tiles in and out of a ring, others scan",     \
        .runs_on = DEVICE_CUDA, .ops = OPS_SCAN, .dtypes = DTYPES_ALL,         \
        .passes = 1, .error_growth = ERROR_TILED,                              \
        .error_tile = threads * items / 2, .deterministic = true,              \
        .refuses = bulk_refuses, .workspace_bytes = workspace_bytes,           \
        .launch = launch<threads, items / 4, stages, blocks>                   \
    }

VARIANTS(scan__tma_ring_specialised) = {
    POINT(4, 2, 256, 16),
    POINT(4, 1, 512, 16),
    {},
};
