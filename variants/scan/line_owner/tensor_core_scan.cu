/* SPDX-License-Identifier: MIT
 *
 * Idea     A scan is a product with a triangular matrix of ones, so tensor
 *          cores do the additions: a warp takes 16 rows of 32 elements, whose
 *          product with the 32 x 32 triangle scans every row; the 16 rows'
 *          totals are then scanned by shuffles. Ones are exact, and so are
 *          halves; a float is cut into three bfloat16 parts, which hold all of
 *          its 24 bits, and takes three products. The sums stay in float32.
 * Against  block_per_line: half the shuffles, for multiplications by 0 and 1
 *          of which all but a few are in vain. Memory is the limit either way.
 *          The tensor cores' sums are truncated rather than rounded, so errors
 *          do not cancel. And 0 times infinity is NaN: an element that is
 *          infinite or NaN spoils its whole row of 32, what comes before it
 *          too.
 * Traffic  2N elements: the compulsory minimum (passes = 1).
 * Needs    inner == 1; f32 and the half types; compute capability 8.0.
 * Source   A. Dakkak and others, "Accelerating Reduction and Scan Using Tensor
 *          Core Units" (ICS 2019); here rows are longer, totals stay float32.
 * Lesson   Tensor cores make the additions free, but memory is the limit.
 */
#include "variants/common/launch/built_for.h"
#include "variants/common/kernel.cuh"

constexpr unsigned kNeeds = NEEDS_FLOAT_ADDITION;

constexpr int kThreads = 256;
/* Elements of a row: two products deep, four wide. */
[[maybe_unused]] constexpr int kRow = 32;
constexpr int kWarpElems = 16 * 32; /* of a tile */
constexpr int kTile = kThreads / 32 * kWarpElems;

/* A lane holds 8 elements of row lane / 4, and of the 8th row after it: item
 * k = 4 s + j is the j-th of the four that it feeds into product s. The order
 * of a row's columns is free, and chosen for 16-byte accesses. */
template <class T>
__device__ __forceinline__ constexpr int row_place(int quad_lane, int k)
{
    return is_half<T> ? quad_lane * 8 + k : k / 4 * 16 + quad_lane * 4 + k % 4;
}

/* Two elements as the tensor cores take them, the first one low. */
template <class T>
__device__ __forceinline__ unsigned pack(float low, float high)
{
    if constexpr (std::is_same_v<T, __half>) {
        const __half2 two = __floats2half2_rn(low, high);
        return *(const unsigned *)&two;
    } else { /* bfloat16: what a float's upper half is; the rest is cut off */
        return __byte_perm(__float_as_uint(low), __float_as_uint(high), 0x7632);
    }
}

/* The part of a float that pack() cuts off. */
__device__ __forceinline__ float cut_off(float value)
{
    return value - __uint_as_float(__float_as_uint(value) & 0xffff0000u);
}

/* sums += a * b, a 16 x 16 and b 16 x 8, as PTX lays them out over a warp. */
template <class T>
__device__ __forceinline__ void
multiply(float (&sums)[4], const unsigned (&a)[4], const unsigned (&b)[2])
{
#if __CUDA_ARCH__ >= 800
    if constexpr (std::is_same_v<T, __half>)
        asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
            "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
            : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    else
        asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
            "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
            : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#endif
}

/* This lane's part of the triangle: the ones are where the element of a row of
 * `b` is summed into the element of a column. */
template <class T, class Scan>
__device__ __forceinline__ unsigned triangle(int from_lane, int from,
                                             int to_lane, int to)
{
    const int row = row_place<T>(from_lane, from);
    const int next = row_place<T>(from_lane, from + 1);
    const int column = row_place<T>(to_lane, to);
    auto counts = [&](int x) {
        const bool before = Scan::reverse ? x > column : x < column;
        return before || (!Scan::exclusive && x == column) ? 1.0f : 0.0f;
    };
    return pack<T>(counts(row), counts(next));
}

/* Replaces a lane's 8 elements of two rows by their rows' scans. */
template <class T, class Scan>
__device__ __forceinline__ void rows_scan(float (&v)[2][8],
                                          const unsigned (&b)[2][4][2])
{
    constexpr int kParts = is_half<T> ? 1 : 3;
    unsigned a[kParts][2][4];
#pragma unroll
    for (int part = 0; part < kParts; ++part)
#pragma unroll
        for (int s = 0; s < 2; ++s)
#pragma unroll
            for (int i = 0; i < 4; ++i) { /* i: row, then columns */
                float *x = &v[i % 2][4 * s + i / 2 * 2];
                a[part][s][i] = pack<T>(x[0], x[1]);
                x[0] = cut_off(x[0]);
                x[1] = cut_off(x[1]);
            }
#pragma unroll
    for (int n = 0; n < 4; ++n) {
        float sums[4] = {};
#pragma unroll
        for (int part = kParts - 1; part >= 0; --part) /* the smallest first */
#pragma unroll
            for (int s = 0; s < 2; ++s)
                multiply<T>(sums, a[part][s], b[s][n]);
#pragma unroll
        for (int i = 0; i < 4; ++i)
            v[i / 2][2 * n + i % 2] = sums[i];
    }
}

/* The exclusive prefix of 8 rows' totals in walk order, one row per quad of
 * lanes, and in *total the sum of all. */
template <bool Reverse>
__device__ __forceinline__ float quads_prefix(float row_total, float *total)
{
    const int lane = threadIdx.x % 32, rank = Reverse ? 31 - lane : lane;
    float sum = row_total;
#pragma unroll
    for (int step = 4; step < 32; step *= 2) {
        const float other = Reverse ? __shfl_down_sync(kWholeWarp, sum, step)
                                    : __shfl_up_sync(kWholeWarp, sum, step);
        if (rank >= step)
            sum += other;
    }
    *total = __shfl_sync(kWholeWarp, sum, Reverse ? 0 : 31);
    const float before = Reverse ? __shfl_down_sync(kWholeWarp, sum, 4)
                                 : __shfl_up_sync(kWholeWarp, sum, 4);
    return rank >= 4 ? before : 0;
}

template <class T, class Scan>
static __global__ void __launch_bounds__(kThreads, 1024 / kThreads)
    tensor_core_scan(const T *__restrict__ in, const uint8_t *__restrict__ mask,
                     T *__restrict__ out, int64_t lines, int64_t axis,
                     bool aligned)
{
    constexpr int kVecs = 8 / kVec<T>; /* of a row in a lane */
    __shared__ float totals[2][kThreads / 32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, quad = lane % 4;
    const int64_t tiles = ceil_div(axis, kTile);
    int side = 0; /* of totals */

    unsigned b[2][4][2];
#pragma unroll
    for (int s = 0; s < 2; ++s)
#pragma unroll
        for (int n = 0; n < 4; ++n)
#pragma unroll
            for (int i = 0; i < 2; ++i)
                b[s][n][i] = triangle<T, Scan>(quad, 4 * s + 2 * i, lane / 8,
                                               2 * n + lane / 4 % 2);

    for (int64_t line = blockIdx.x; line < lines; line += gridDim.x) {
        const int64_t start = line * axis;
        float carry = 0;
        for (int64_t step = 0; step < tiles; ++step) {
            const int64_t tile = Scan::reverse ? tiles - 1 - step : step;
            const int64_t at = tile * kTile + warp * kWarpElems +
                               lane / 4 * kRow + row_place<T>(quad, 0);

            /* load */
            float v[2][kVecs][kVec<T>];
#pragma unroll
            for (int h = 0; h < 2; ++h)
                load_items<add<T>, Scan::masked>(in + start, mask + start,
                                                 at + h * 8 * kRow, 16, axis,
                                                 aligned, v[h]);

            /* upsweep: rows by products, and where they stand in the warp. An
             * exclusive row's total lacks its last element. */
            auto &rows = reinterpret_cast<float(&)[2][8]>(v);
            const float last[2] = { rows[0][7], rows[1][7] };
            rows_scan<T, Scan>(rows, b);
            float before[2], half_total[2];
#pragma unroll
            for (int h = 0; h < 2; ++h) {
                float total = rows[h][Scan::reverse ? 0 : 7];
                if (Scan::exclusive)
                    total += last[h];
                total = __shfl_sync(kWholeWarp, total,
                                    (lane & ~3) + (Scan::reverse ? 0 : 3));
                before[h] = quads_prefix<Scan::reverse>(total, &half_total[h]);
            }
            before[!Scan::reverse] += half_total[Scan::reverse];

            /* spine */
            float tile_total;
            const float base =
                carry +
                warps_prefix<add<T>, Scan::reverse, kThreads>(
                    half_total[0] + half_total[1], totals[side], &tile_total);
            side ^= 1;
            carry += tile_total;

            /* downsweep, store */
#pragma unroll
            for (int h = 0; h < 2; ++h)
#pragma unroll
                for (int j = 0; j < kVecs; ++j) {
#pragma unroll
                    for (int k = 0; k < kVec<T>; ++k)
                        v[h][j][k] += base + before[h];
                    store_items<add<T>>(out + start, at + h * 8 * kRow + j * 16,
                                        axis, aligned, v[h][j]);
                }
        }
    }
}

static int launch(const struct problem *p, void *stream)
{
    return dispatch_scan<kNeeds>(p, [&]<class T, class Scan>(tag<T>, Scan) {
        const int64_t axis = p->shape.axis, lines = shape_lines(p->shape);
        return launch_kernel(tensor_core_scan<T, Scan>, lines, kThreads, 0,
                             stream, p->in, p->mask, p->out, lines, axis,
                             lines_aligned<T>(p->in, p->mask, p->out, axis));
    });
}

static const char *refuses(const struct problem *p)
{
    if (!built_for(p, 80))
        return "needs tensor cores that take bfloat16 (compute capability "
               "8.0, and a build for it)";
    return contiguous_only(p);
}

VARIANTS(scan__tensor_core_scan) = {
    {
        .name = "tensor_core_scan",
        .idea = "rows times a triangle of ones, on tensor cores",
        .runs_on = DEVICE_CUDA,
        .ops = scans<kNeeds>(),
        .passes = 1,
        .error_growth = ERROR_TILED,
        .error_tile = kTile,
        .deterministic = true,
        .spreads_nonfinite = true,
        .loses_subnormals = true, /* parts of a float, in bfloat16 */
        .refuses = refuses,
        .launch = launch,
    },
    {},
};
