/* SPDX-License-Identifier: MIT
 *
 * Idea     A warp owns a line and walks it in tiles of a few 16-byte vectors
 *          per lane; the carry stays in its registers, and there is no
 *          barrier.
 * Against  thread_per_line: 32 lanes share the line, so that accesses coalesce,
 *          and a tile's loads are in flight together.
 * Traffic  2N elements: the compulsory minimum (passes = 1).
 * Needs    inner == 1.
 * Source   none.
 * Lesson   Shuffles need no barrier, and many lines are parallel enough.
 */
#include "variants/common/kernel.cuh"

/* Blocks per SM: three where a fourth would make the compiler spill; 0: its own
 * choice. */
template <class T, class Scan, int Vecs>
constexpr int kBlocks = is_half<T> &&Scan::masked &&Vecs > 2 ? 3 : 0;

template <class T, class Scan, int Threads, int Vecs>
static __global__ void __launch_bounds__(Threads, kBlocks<T, Scan, Vecs>)
    warp_per_line(const T *__restrict__ in, const uint8_t *__restrict__ mask,
                  T *__restrict__ out, int64_t lines, int64_t axis,
                  bool aligned)
{
    TAG(fast);
    using Op = op_of<Scan, T>;
    using Acc = typename Op::acc;
    constexpr int kWarps = Threads / 32;
    constexpr int kRow = 32 * kVec<T>; /* elements in one access of a warp */
    constexpr int kTile = Vecs * kRow;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int64_t tiles = ceil_div(axis, kTile);

    for (int64_t line = (int64_t)blockIdx.x * kWarps + warp; line < lines;
         line += (int64_t)gridDim.x * kWarps) {
        const int64_t start = line * axis;
        Acc carry = Op::identity();
        for (int64_t step = 0; step < tiles; ++step) {
            const int64_t tile = Scan::reverse ? tiles - 1 - step : step;
            const int64_t at = tile * kTile + lane * kVec<T>;

            /* load */
            Acc v[Vecs][kVec<T>];
            load_items<Op, Scan::masked>(in + start, mask + start, at, kRow,
                                         axis, aligned, v);

            /* upsweep: the prefixes of the vectors in the tile */
            Acc before[Vecs];
            const Acc tile_total = rows_prefix<Op, Scan::reverse>(v, before);

            /* downsweep, store */
#pragma unroll
            for (int j = 0; j < Vecs; ++j) {
                items_scan<Scan, Op>(v[j], Op::combine(carry, before[j]));
                store_items<Op>(out + start, at + j * kRow, axis, aligned,
                                v[j]);
            }
            carry = Op::combine(carry, tile_total);
        }
    }
}

template <int Threads, int Items>
static int launch(const struct problem *p, void *stream)
{
    return dispatch_scan(p, [&]<class T, class Scan>(tag<T>, Scan) -> int {
        const int64_t axis = p->shape.axis, lines = shape_lines(p->shape);
        return launch_kernel(
            warp_per_line<T, Scan, Threads, kTileVectors<T, Items>>,
            ceil_div(lines, Threads / 32), Threads, 0, stream, p->in, p->mask,
            p->out, lines, axis,
            lines_aligned<T>(p->in, p->mask, p->out, axis));
    });
}

/* A tile of doubles is half as long, and the bound must hold for it too. */
#define POINT(threads, items)                                                  \
    {                                                                          \
        .name = "warp_per_line_b" #threads "_i" #items,                        \
        .idea = "one warp walks a line tile by tile, without barriers",        \
        .runs_on = DEVICE_CUDA, .ops = scans(), .passes = 1,                   \
        .error_growth = ERROR_TILED, .error_tile = 32 * items / 2,             \
        .deterministic = true, .refuses = contiguous_only,                     \
        .launch = launch<threads, items>                                       \
    }

VARIANTS(scan__warp_per_line) = {
    POINT(128, 8),
    {},
};
