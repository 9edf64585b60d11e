/* SPDX-License-Identifier: MIT
 *
 * Idea     A ring of stages in shared memory, filled by bulk copies, scanned
 *          in place and emptied by bulk copies. Every warp has a ring of its
 *          own for its part of the tiles: it waits for nobody's copies but
 *          its own, and only the spine is a barrier.
 * Against  block_per_line_prefetch: what is in flight takes no registers, so
 *          that more than one tile can be; one instruction asks for a warp's
 *          part of a tile, and a slot is filled again once its store has been
 *          read. Small tiles are slow: each is one short visit to memory far
 *          from the last.
 * Traffic  2N elements: the compulsory minimum (passes = 1).
 * Needs    inner == 1; compute capability 9.0. Lines off 16-byte boundaries
 *          are moved in single elements, without a pipeline.
 * Source   none.
 * Lesson   The copy engine needs no registers and no address arithmetic, but
 *          128-byte lines to start from.
 */
#include "variants/common/shared_section.cuh"

/* A tile of a line that this block walks. */
struct place {
    int64_t line, tile;
};

template <bool Reverse>
__device__ __forceinline__ void to_next(struct place *p, int64_t tiles)
{
    p->tile += Reverse ? -1 : 1;
    if (p->tile >= 0 && p->tile < tiles)
        return;
    p->tile = Reverse ? tiles - 1 : 0;
    p->line += gridDim.x;
}

/* What one warp needs to find its sections. */
template <class T>
struct tensor {
    const T *in;
    const uint8_t *mask;
    T *out;
    int64_t axis;
    int share; /* elements of a warp in a tile */
    int tile;  /* elements */
};

template <class T>
__device__ __forceinline__ section<T>
section_of(const struct tensor<T> &t, const struct place &p, T *x, uint8_t *m)
{
    const int64_t first = p.tile * t.tile + threadIdx.x / 32 * t.share;
    const int64_t left = t.axis - first, at = p.line * t.axis + first;
    const int count = left < 0 ? 0 : left < t.share ? (int)left : t.share;
    return { x, m, t.in + at, t.mask + at, t.out + at, count };
}

template <class T, class Scan, int Threads, int Rows, int Stages, int Blocks>
static __global__ void __launch_bounds__(Threads, Blocks)
    block_per_line_tma_ring(const struct tensor<T> t, int64_t lines, bool bulk)
{
#if HAS_BULK_COPY
    using Acc = acc_t<T>;
    constexpr bool kReverse = Scan::reverse;
    constexpr int kWarps = Threads / 32, kShare = Rows * kRow<T>;
    extern __shared__ uint4 room[];
    __shared__ Acc totals[2][kWarps];
    __shared__ uint64_t loaded[kWarps][Stages];
    const int warp = threadIdx.x / 32;
    const auto x = [&](int k) {
        return (T *)room + (warp * Stages + k) * kShare;
    };
    const auto m = [&](int k) {
        return (uint8_t *)((T *)room + kWarps * Stages * kShare) +
               (warp * Stages + k) * kShare;
    };
    const int64_t tiles = ceil_div(t.axis, t.tile);
    struct place now = { blockIdx.x, kReverse ? tiles - 1 : 0 }, later = now;
    const auto ask = [&](int k) {
        if (bulk && later.line < lines)
            section_ask<Scan::masked>(section_of(t, later, x(k), m(k)),
                                      &loaded[warp][k]);
        to_next<kReverse>(&later, tiles);
    };

    if (threadIdx.x % 32 == 0)
        for (int k = 0; k < Stages; ++k)
            bulk_init(&loaded[warp][k], 1);
    __syncwarp();
    for (int k = 0; k < Stages - 1; ++k)
        ask(k);

    Acc carry = 0;
    int slot = 0, side = 0;
    unsigned parity = 0;
    while (now.line < lines) {
        /* load: wait for this tile */
        const section<T> s = section_of(t, now, x(slot), m(slot));
        if (bulk)
            bulk_wait(&loaded[warp][slot], parity);
        else
            section_load_singly<Scan::masked>(s);

        /* upsweep, spine: two sides, hence one barrier a tile */
        Acc tile_total;
        const Acc before = warps_prefix<kReverse, Threads>(
            section_sum<Scan>(s), totals[side], &tile_total);
        side ^= 1;

        /* downsweep, store */
        section_scan<Scan>(s, carry + before);
        section_store(s, bulk);

        /* load: fill the slot whose store is a tile old */
        if (s.count > 0)
            stores_left<1>();
        else
            stores_left<0>(); /* as this tile has none */
        ask(slot ? slot - 1 : Stages - 1);

        const int64_t line = now.line;
        to_next<kReverse>(&now, tiles);
        carry = now.line == line ? carry + tile_total : Acc(0);
        slot = slot + 1 < Stages ? slot + 1 : 0;
        parity ^= slot == 0;
    }
    stores_left<0>(); /* shared memory goes back */
#endif
}

template <int Threads, int Rows, int Stages, int Blocks>
static int launch(const struct problem *p, void *stream)
{
    return dispatch_scan(p, [&](auto type, auto scan) -> int {
        using T = typename decltype(type)::type;
        using Scan = decltype(scan);
        constexpr int kWarps = Threads / 32;
        const auto kernel =
            block_per_line_tma_ring<T, Scan, Threads, Rows, Stages, Blocks>;
        const int bytes = (int)(kWarps * Stages * Rows * kRow<T> *
                                kElemBytes<T, Scan::masked>);
        const cudaError_t error = cudaFuncSetAttribute(
            kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
        if (error != cudaSuccess)
            return error;

        /* A short line is shared by all warps too. */
        const int64_t axis = p->shape.axis, lines = shape_lines(p->shape);
        const int64_t need = ceil_div(axis, kWarps * kRow<T>);
        const int share = (int)(need < Rows ? need : Rows) * kRow<T>;
        kernel<<<grid_x(lines), Threads, bytes, (cudaStream_t)stream>>>(
            { (const T *)p->in, p->mask, (T *)p->out, axis, share,
              share * kWarps },
            lines, bulk_aligned<T>(p));
        return cudaGetLastError();
    });
}

template <int Threads, int Rows, int Stages>
static const char *refuses(const struct problem *p)
{
    const int elems = 512 / (int)dtype_bytes(p->dtype); /* of a row */
    const char *reason = bulk_refuses(p);
    return reason
               ? reason
               : tile_refuses(p, Threads / 32 * Stages * Rows *
                                     (512 + (op_has_mask(p->op) ? elems : 0)));
}

/* Items of an f32 tile per thread: rows of four. A tile of doubles has half as
 * many. */
#define POINT(stages, blocks, threads, items)                                  \
    {                                                                          \
        .name = "block_per_line_tma_ring_s" #stages "_b" #threads "_i" #items, \
        .idea = "bulk copies in and out of a ring, scanned in shared memory",  \
        .runs_on = DEVICE_CUDA, .ops = OPS_SCAN, .dtypes = DTYPES_ALL,         \
        .passes = 1, .error_growth = ERROR_TILED,                              \
        .error_tile = threads * items / 2, .deterministic = true,              \
        .refuses = refuses<threads, items / 4, stages>,                        \
        .launch = launch<threads, items / 4, stages, blocks>                   \
    }

VARIANTS(scan__block_per_line_tma_ring) = {
    POINT(3, 2, 512, 16),
    {},
};
