/* SPDX-License-Identifier: MIT
 *
 * One block walks one line tile by tile. A policy, the idea of the file that
 * has it, keeps the carry between tiles:
 *   Op, Spine             operators within the tile, and over warps and tiles
 *   kBlocks               resident blocks per SM in __launch_bounds__, 0: any
 *   enter(warps)          the carry into this warp, given the exclusive prefix
 *                         of its warp in the tile
 *   scan(v, base, before) replaces a vector's items by their scan; `before` is
 *                         the exclusive prefix of the vector in its warp
 *   advance(tile_total)   the carry into the next tile
 */
#ifndef VARIANTS_SCAN_LINE_OWNER_BLOCK_PER_LINE_CUH
#define VARIANTS_SCAN_LINE_OWNER_BLOCK_PER_LINE_CUH

#include "variants/common/kernel.cuh"

/* A warp owns Vecs * 32 consecutive vectors of the tile; vector j of a lane
 * lies 32 vectors after its vector j - 1. */
template <class T, class Scan, class Carry, int Threads, int Vecs>
static __global__ void __launch_bounds__(Threads, Carry::kBlocks)
    block_walks_line(const T *__restrict__ in, const uint8_t *__restrict__ mask,
                     T *__restrict__ out, int64_t lines, int64_t axis,
                     bool aligned)
{
    using Op = typename Carry::Op;
    using Spine = typename Carry::Spine;
    constexpr int kRow = 32 * kVec<T>; /* elements in one access of a warp */
    constexpr int kTile = Threads / 32 * Vecs * kRow;
    __shared__ typename Spine::acc totals[2][Threads / 32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int64_t tiles = ceil_div(axis, kTile);
    int side = 0; /* totals[side] */

    for (int64_t line = blockIdx.x; line < lines; line += gridDim.x) {
        const int64_t start = line * axis;
        Carry carry;
        for (int64_t step = 0; step < tiles; ++step) {
            const int64_t tile = Scan::reverse ? tiles - 1 - step : step;
            const int64_t at =
                tile * kTile + warp * Vecs * kRow + lane * kVec<T>;

            /* load */
            typename Op::acc v[Vecs][kVec<T>];
            load_items<Op, Scan::masked>(in + start, mask + start, at, kRow,
                                         axis, aligned, v);

            /* upsweep: the prefixes of the vectors in their warp */
            typename Op::acc before[Vecs];
            const typename Op::acc warp_total =
                rows_prefix<Op, Scan::reverse>(v, before);

            /* spine: this side was last read before the previous tile's
             * barrier, so one barrier per tile is enough */
            typename Spine::acc tile_total;
            const auto base =
                carry.enter(warps_prefix<Spine, Scan::reverse, Threads>(
                    (typename Spine::acc)warp_total, totals[side],
                    &tile_total));
            side ^= 1;

            /* downsweep, store */
#pragma unroll
            for (int j = 0; j < Vecs; ++j) {
                carry.template scan<Scan>(v[j], base, before[j]);
                store_items<Op>(out + start, at + j * kRow, axis, aligned,
                                v[j]);
            }
            carry.advance(tile_total);
        }
    }
}

/* Carry<Op> is the policy. */
template <template <class> class Carry, int Threads, int Items, unsigned Needs>
static int block_per_line_launch(const struct problem *p, void *stream)
{
    return dispatch_scan<Needs>(p, [&]<class T, class Scan>(tag<T>, Scan) {
        const int64_t axis = p->shape.axis, lines = shape_lines(p->shape);
        return launch_kernel(block_walks_line<T, Scan, Carry<op_of<Scan, T>>,
                                              Threads, kTileVectors<T, Items>>,
                             lines, Threads, 0, stream, p->in, p->mask, p->out,
                             lines, axis,
                             lines_aligned<T>(p->in, p->mask, p->out, axis));
    });
}

#endif
