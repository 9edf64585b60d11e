/* SPDX-License-Identifier: MIT
 *
 * Idea     One block walks one line tile by tile; a carry in every thread's
 *          register joins the tiles. Each tile is loaded, scanned and stored
 *          before the next one is loaded.
 * Against  thread_per_line: a whole block's loads are in flight for one line,
 *          as vectors, for one barrier per tile.
 * Traffic  2N elements: the compulsory minimum (passes = 1).
 * Needs    inner == 1.
 * Source   none.
 * Lesson   A block that keeps its carry to itself needs only one pass.
 */
#include "variants/scan/line_owner/block_per_line.cuh"

constexpr unsigned kNeeds = NEEDS_ORDER | IS_LESSON;

template <class Op_>
struct plain_carry {
    using Op = Op_;
    using Spine = Op;
    using Acc = typename Op::acc;
    static constexpr int kBlocks = 0;
    Acc carry = Op::identity();

    __device__ __forceinline__ Acc enter(Acc warps) const
    {
        return Op::combine(carry, warps);
    }
    template <class Scan, int Width>
    __device__ __forceinline__ void scan(Acc (&v)[Width], Acc base,
                                         Acc before) const
    {
        items_scan<Scan, Op>(v, Op::combine(base, before));
    }
    __device__ __forceinline__ void advance(Acc tile_total)
    {
        carry = Op::combine(carry, tile_total);
    }
};

/* error_tile is that of doubles, whose tile has half as many elements. */
#define POINT(threads, items)                                                  \
    {                                                                          \
        .name = "block_per_line_b" #threads "_i" #items,                       \
        .idea = "one block walks a line tile by tile with a carry",            \
        ON_CUDA(scans<kNeeds>(), 1), ERROR_OF_TILES(threads * items / 2),      \
        .deterministic = true, .refuses = contiguous_only,                     \
        .launch = block_per_line_launch<plain_carry, threads, items, kNeeds>   \
    }

VARIANTS(scan__block_per_line) = {
    POINT(256, 16),
    {},
};
