/* SPDX-License-Identifier: MIT
 *
 * Idea     A block holds a window of memory in shared memory, one line or as
 *          many whole short lines as fit, and adds so that sums never fall
 *          along a line of elements >= 0 (ordered.cuh).
 * Against  packed_lines_registers, whose lanes add in a tree, and hold single
 *          vectors; monotone_lookback: no tile waits for another.
 * Traffic  2N elements: the compulsory minimum (passes = 1).
 * Needs    inner == 1; axis at most what the tuning point holds.
 * Source   none.
 * Lesson   A chain over 32 lanes is short if each has added dozens of elements
 *          before.
 */
#include "variants/scan/monotone/ordered.cuh"

constexpr int kThreads = 256;

struct window_grid : line_window {
    struct alignment alignment;
};

template <class Scan, int Tile>
__device__ __forceinline__ struct tile_place window_place(const window_grid &w,
                                                          int64_t n)
{
    const int64_t elems = (int64_t)w.many * w.axis, begin = n * elems;
    struct tile_place p = { n, 0, align_down(begin, w.alignment) };
    p.part = span_of(begin, min(begin + elems, w.extent), p.first, w.alignment);
    p.inside = p.part.bulk_end - p.part.bulk_begin == Tile;
    return p;
}

/* The walk along a thread's elements; the first in memory is the tile's element
 * `from`. */
template <bool Reverse, int Items>
__device__ __forceinline__ line_walk walk_of(const window_grid &w,
                                             const struct tile_place &p,
                                             int from)
{
    const int at = from - (int)(p.part.begin - p.first) + (Reverse ? Items : 0);
    if (at < 0)
        return { -at, w.axis };
    const int past = at - (int)w.lines_in(at) * w.axis;
    return { Reverse || past == 0 ? past : w.axis - past, w.axis };
}

template <class T, class Scan, int Vecs>
static __global__ void
__launch_bounds__(kThreads, kSmBlocks<T, Scan::masked, kThreads, Vecs>)
    monotone_windows(const T *__restrict__ in, const uint8_t *__restrict__ mask,
                     T *__restrict__ out, const window_grid w)
{
    using Arrangement = ordered<T, Scan, kThreads, Vecs, true>;
    using Op = typename Arrangement::Op;
    using Acc = typename Op::acc;
    using Mover = tile_mover<T, Scan::masked, kThreads>;
    constexpr int kTile = Arrangement::kTile;
    extern __shared__ uint4 shared_tile[];
    __shared__ typename Arrangement::shared sums;
    __shared__ typename Mover::shared loaded;
    const tile_buffer<T> tile = { (T *)shared_tile,
                                  (uint8_t *)(shared_tile + kThreads * Vecs) };
    Mover mover = { in, mask, tile, &loaded, 0 };
    if (threadIdx.x == 0)
        mover.init();
    __syncthreads();
    for (int64_t n = blockIdx.x; n < w.windows; n += gridDim.x) {
        const struct tile_place p = window_place<Scan, kTile>(w, n);
        if (!Mover::alone || threadIdx.x == 0)
            mover.start(p.part);
        if (!p.inside)
            clear_outside<Op, kTile, kTile>(p, tile.x);
        mover.wait(p);

        Arrangement mine = { sums, tile, p };
        const line_walk lines = walk_of<Scan::reverse, Arrangement::kItems>(
            w, p, (int)threadIdx.x * Arrangement::kItems);
        mine.upsweep(lines);
        Acc total;
        const Acc warp = mine.warp_carry(&total);
        mine.downsweep(
            lines, warp, [](Acc sum) { return sum; }, out);

        if (n + gridDim.x < w.windows) {
            mover.release();
            __syncthreads(); /* the tile may be overwritten */
        }
    }
}

/* ------------------------------------------------------------------ host */

template <int Tiles>
static int tile_elems(const struct problem *p)
{
    const int bytes = (int)dtype_bytes(p->dtype);
    return kThreads *
           vectors_held<kThreads, fitting_odd(Tiles)>(bytes,
                                                      op_has_mask(p->op)) *
           (16 / bytes);
}

template <int Tiles>
static const char *refuses(const struct problem *p)
{
    if (p->shape.inner != 1)
        return "serves contiguous lines only (inner = 1)";
    if (p->shape.axis > tile_elems<Tiles>(p) - kAlignment)
        return "the line does not fit in a tile; monotone_lookback serves it";
    const int bytes = (int)dtype_bytes(p->dtype);
    return tile_refuses(p, tile_elems<Tiles>(p) *
                               (bytes + (op_has_mask(p->op) ? 1 : 0)));
}

template <int Tiles>
static int launch(const struct problem *p, void *stream)
{
    return dispatch_scan<NEEDS_ADDITION>(p, [&]<class T, class Scan>(tag<T>,
                                                                     Scan) {
        constexpr int kVecs =
            vectors_held<kThreads, fitting_odd(Tiles)>(sizeof(T), Scan::masked);
        const int64_t axis = p->shape.axis, lines = shape_lines(p->shape);
        const int64_t fit = (tile_elems<Tiles>(p) - kAlignment) / axis;
        window_grid w = { line_window_of<T>(p, lines * axis), alignment_of(p) };
        w.many = (int)(fit < lines ? fit : lines);
        w.windows = ceil_div(lines, w.many);
        return bulk_launch(monotone_windows<T, Scan, kVecs>, w.windows,
                           kThreads,
                           kTileBytes<T, Scan::masked, kThreads, kVecs>, stream,
                           p->in, p->mask, p->out, w);
    });
}

#define POINT(suffix, tiles)                                                   \
    {                                                                          \
        .name = "monotone_windows_" #suffix,                                   \
        .idea = "a block holds whole lines, and adds so that no sum falls",    \
        ON_CUDA(scans<NEEDS_ADDITION>(), 1), ERROR_OF_TILES(2),                \
        .deterministic = true, .refuses = refuses<tiles>,                      \
        .launch = launch<tiles>, .monotone = true                              \
    }

VARIANTS(scan__monotone_windows) = {
#if OLDEST_ARCH < 800
    POINT(k36, 6),
#endif
    POINT(k72, 3),
    {},
};
