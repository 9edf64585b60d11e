/* SPDX-License-Identifier: MIT
 *
 * Idea     float32 within a warp, float64 between warps and tiles: every
 *          element is scanned within its vector and its warp from 0, and the
 *          carry into the warp is added last, in float64, with one rounding.
 *          The error does not grow with the line: some 15 additions are in
 *          float32, however long it is (ERROR_TREE bounds it closer than
 *          ERROR_TILED).
 * Against  block_per_line, which rounds the carry once per tile, so that the
 *          error grows with their number. Here each element costs one
 *          conversion to float64, one addition and one conversion back.
 * Traffic  2N elements: the compulsory minimum (passes = 1).
 * Needs    inner == 1; f32. Slow where a GPU has few float64 units. Addition
 *          only.
 * Source   N. Higham, Accuracy and Stability of Numerical Algorithms (2002),
 *          chapter 4: accumulate in higher precision.
 * Lesson   One wide carry per tile stops the growth of the error at little
 *          cost.
 */
#include "variants/scan/line_owner/block_per_line.cuh"

/* The rounding of halves exceeds the error of a float carry. */
constexpr unsigned kNeeds = NEEDS_FLOAT_ADDITION | NEEDS_LOSSLESS;

template <class Op_>
struct wide_carry {
    using Op = Op_;
    using Spine = add<double>;
    static constexpr int kBlocks = 4; /* 256 threads, 64 registers each */
    double carry = 0;

    __device__ __forceinline__ double enter(double warps) const
    {
        return carry + warps;
    }
    template <class Scan, int Width>
    __device__ __forceinline__ void scan(float (&v)[Width], double base,
                                         float before) const
    {
        items_scan<Scan, Op>(v, 0.0f);
        const double first = base + before;
#pragma unroll
        for (int k = 0; k < Width; ++k)
            v[k] = (float)(first + v[k]);
    }
    __device__ __forceinline__ void advance(double tile_total)
    {
        carry += tile_total;
    }
};

#define POINT(threads, items)                                                  \
    {                                                                          \
        .name = "float64_carry_b" #threads "_i" #items,                        \
        .idea = "tiles in float32, the carry between them in float64",         \
        ON_CUDA(scans<kNeeds>(), 1), .error_growth = ERROR_TREE,               \
        .deterministic = true, .refuses = contiguous_only,                     \
        .launch = block_per_line_launch<wide_carry, threads, items, kNeeds>    \
    }

VARIANTS(scan__float64_carry) = {
    POINT(256, 16),
    {},
};
