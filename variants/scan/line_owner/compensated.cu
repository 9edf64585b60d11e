/* SPDX-License-Identifier: MIT
 *
 * Idea     The carry is an unevaluated sum of two numbers: an error-free
 *          addition (TwoSum) computes what the rounded sum loses, and the
 *          second number accumulates it. Tiles add no error that grows with
 *          the line: about 20 additions count, all of them within the tile
 *          (ERROR_TREE).
 * Against  float64_carry: six additions per tile instead of float64, which
 *          needs no float64 units, and serves f64 too, whose carry then has
 *          some 106 bits; an element costs two additions and no conversion.
 * Traffic  2N elements: the compulsory minimum (passes = 1).
 * Needs    inner == 1. Addition only.
 * Source   D. Knuth, The Art of Computer Programming, vol. 2, 4.2.2 (TwoSum);
 *          A. Neumaier, ZAMM 54 (1974): carry the error along.
 * Lesson   Carrying along what each addition loses replaces a wider type.
 */
#include "variants/scan/line_owner/block_per_line.cuh"

constexpr unsigned kNeeds = NEEDS_ADDITION;

template <class Op_>
struct two_part_carry {
    using Op = Op_;
    using Spine = Op;
    using Acc = typename Op::acc;
    static constexpr int kBlocks = 4; /* of 256 threads: 64 registers each */
    Acc high = 0, low = 0;            /* their sum is the carry */

    __device__ __forceinline__ Acc enter(Acc warps) const
    {
        return warps;
    }
    /* The largest number is added last. */
    template <class Scan, int Width>
    __device__ __forceinline__ void scan(Acc (&v)[Width], Acc warps,
                                         Acc before) const
    {
        items_scan<Scan, Op>(v, Acc(0));
        const Acc first = low + (warps + before);
#pragma unroll
        for (int k = 0; k < Width; ++k)
            v[k] = high + (first + v[k]);
    }
    /* An infinite sum has no error, and infinity - infinity would make it NaN.
     */
    __device__ __forceinline__ void advance(Acc x)
    {
        const Acc sum = high + x, back = sum - high;
        const Acc lost = (high - (sum - back)) + (x - back);
        high = sum;
        low = isfinite(sum) ? low + lost : Acc(0);
    }
};

#define POINT(threads, items)                                                  \
    {                                                                          \
        .name = "compensated_b" #threads "_i" #items,                          \
        .idea = "a carry in two numbers: the sum and what it lost",            \
        .runs_on = DEVICE_CUDA, .ops = scans<kNeeds>(), .passes = 1,           \
        .error_growth = ERROR_TREE, .deterministic = true,                     \
        .refuses = contiguous_only,                                            \
        .launch =                                                              \
            block_per_line_launch<two_part_carry, threads, items, kNeeds>      \
    }

VARIANTS(scan__compensated) = {
    POINT(256, 16),
    {},
};
