/* SPDX-License-Identifier: MIT
 *
 * Idea     One block walks one line tile by tile; a carry in every thread's
 *          register joins the tiles. Each tile is loaded, scanned, stored, and
 *          only then is the next one asked for.
 * Against  warp_per_line: a whole block's loads are in flight for one line, so
 *          fewer lines are open at once, at the price of a barrier a tile.
 * Traffic  2N elements: the compulsory minimum (passes = 1).
 * Needs    inner == 1.
 * Source   none.
 * Lesson   One pass is possible as soon as a block keeps the carry to itself.
 */
#include "variants/common/kernel.cuh"

/* A warp owns Vecs * 32 vectors of the tile in a row; vector j of a lane lies
 * 32 vectors after its vector j - 1. */
template <class T, class Scan, int Threads, int Vecs>
static __global__ void __launch_bounds__(Threads)
    block_per_line(const T *__restrict__ in, const uint8_t *__restrict__ mask,
                   T *__restrict__ out, int64_t lines, int64_t axis,
                   bool aligned)
{
    using Op = op_of<Scan, T>;
    using Acc = typename Op::acc;
    constexpr int kRow = 32 * kVec<T>; /* elements in one access of a warp */
    constexpr int kTile = Threads / 32 * Vecs * kRow;
    __shared__ Acc totals[2][Threads / 32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int64_t tiles = ceil_div(axis, kTile);
    int side = 0; /* of totals */

    for (int64_t line = blockIdx.x; line < lines; line += gridDim.x) {
        const int64_t start = line * axis;
        Acc carry = Op::identity();
        for (int64_t step = 0; step < tiles; ++step) {
            const int64_t tile = Scan::reverse ? tiles - 1 - step : step;
            const int64_t at =
                tile * kTile + warp * Vecs * kRow + lane * kVec<T>;

            /* load */
            Acc v[Vecs][kVec<T>];
            load_items<T, Scan::masked>(in + start, mask + start, at, kRow,
                                        axis, aligned, v);

            /* upsweep: where each vector stands in its warp, in walk order */
            Acc before[Vecs];
            const Acc warp_total = rows_prefix<Op, Scan::reverse>(v, before);

            /* spine: the side written two tiles on was read before the
             * barrier in between, so one barrier a tile is enough */
            Acc tile_total;
            const Acc base =
                Op::combine(carry, warps_prefix<Op, Scan::reverse, Threads>(
                                       warp_total, totals[side], &tile_total));
            side ^= 1;
            carry = Op::combine(carry, tile_total);

            /* downsweep, store */
#pragma unroll
            for (int j = 0; j < Vecs; ++j) {
                items_scan<Scan, Op>(v[j], Op::combine(base, before[j]));
                store_items(out + start, at + j * kRow, axis, aligned, v[j]);
            }
        }
    }
}

template <int Threads, int Items>
static int launch(const struct problem *p, void *stream)
{
    return dispatch_scan(p, [&](auto type, auto scan) -> int {
        using T = typename decltype(type)::type;
        const int64_t axis = p->shape.axis, lines = shape_lines(p->shape);
        block_per_line<T, decltype(scan), Threads, kTileVectors<T, Items>>
            <<<grid_x(lines), Threads, 0, (cudaStream_t)stream>>>(
                (const T *)p->in, p->mask, (T *)p->out, lines, axis,
                lines_aligned<T>(p->in, p->mask, p->out, axis));
        return cudaGetLastError();
    });
}

/* A tile of doubles is half as long, and the bound must hold for it too. */
#define POINT(threads, items)                                                  \
    {                                                                          \
        .name = "block_per_line_b" #threads "_i" #items,                       \
        .idea = "one block walks a line tile by tile with a carry",            \
        .runs_on = DEVICE_CUDA, .ops = OPS_SCAN, .dtypes = DTYPES_ALL,         \
        .passes = 1, .error_growth = ERROR_TILED,                              \
        .error_tile = threads * items / 2, .deterministic = true,              \
        .refuses = contiguous_only, .launch = launch<threads, items>           \
    }

VARIANTS(scan__block_per_line) = {
    POINT(256, 16),
    {},
};
