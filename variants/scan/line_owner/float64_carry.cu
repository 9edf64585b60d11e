/* SPDX-License-Identifier: MIT
 *
 * Idea     Between vectors float32, between warps and tiles float64: every
 *          element is scanned within its vector and its warp from 0, and what
 *          came before the warp is added last, in float64, with one rounding.
 *          The error no longer grows with the line: some 15 additions are
 *          in float32, however long it is (ERROR_TREE bounds it closer than
 *          ERROR_TILED).
 * Against  block_per_line: a carry there is rounded once a tile, and the
 *          error grows with their number. Here each element costs one
 *          conversion to float64, one addition and one conversion back.
 * Traffic  2N elements: the compulsory minimum (passes = 1).
 * Needs    inner == 1; f32 and the half types: for f64 see compensated. Slow
 *          where a GPU has few float64 units.
 * Source   N. Higham, Accuracy and Stability of Numerical Algorithms (2002),
 *          chapter 4: accumulate in higher precision.
 * Lesson   Wide arithmetic is cheap where it is rare: one wide carry per tile
 *          stops the growth of the error.
 */
#include "variants/common/kernel.cuh"

/* block_per_line's tile, but for `base`, `carry` and the totals. */
template <class T, class Scan, int Threads, int Vecs>
static __global__ void __launch_bounds__(Threads, 1024 / Threads)
    float64_carry(const T *__restrict__ in, const uint8_t *__restrict__ mask,
                  T *__restrict__ out, int64_t lines, int64_t axis,
                  bool aligned)
{
    constexpr int kRow = 32 * kVec<T>; /* elements in one access of a warp */
    constexpr int kTile = Threads / 32 * Vecs * kRow;
    __shared__ double totals[2][Threads / 32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int64_t tiles = ceil_div(axis, kTile);
    int side = 0; /* of totals */

    for (int64_t line = blockIdx.x; line < lines; line += gridDim.x) {
        const int64_t start = line * axis;
        double carry = 0;
        for (int64_t step = 0; step < tiles; ++step) {
            const int64_t tile = Scan::reverse ? tiles - 1 - step : step;
            const int64_t at =
                tile * kTile + warp * Vecs * kRow + lane * kVec<T>;

            /* load */
            float v[Vecs][kVec<T>];
            load_items<T, Scan::masked>(in + start, mask + start, at, kRow,
                                        axis, aligned, v);

            /* upsweep: where each vector stands in its warp, in walk order */
            float before[Vecs];
            const float warp_total =
                rows_prefix<sum_op<T>, Scan::reverse>(v, before);

            /* spine: in float64 from here on */
            double tile_total;
            const double base =
                carry + warps_prefix<sum_op<double>, Scan::reverse, Threads>(
                            (double)warp_total, totals[side], &tile_total);
            side ^= 1;
            carry += tile_total;

            /* downsweep, store */
#pragma unroll
            for (int j = 0; j < Vecs; ++j) {
                items_scan<Scan, sum_op<T>>(v[j], 0.0f);
                const double first = base + before[j];
#pragma unroll
                for (int k = 0; k < kVec<T>; ++k)
                    v[j][k] = (float)(first + v[j][k]);
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
        if constexpr (std::is_same_v<T, double>) {
            return cudaErrorNotSupported;
        } else {
            const int64_t axis = p->shape.axis, lines = shape_lines(p->shape);
            float64_carry<T, decltype(scan), Threads, kTileVectors<T, Items>>
                <<<grid_x(lines), Threads, 0, (cudaStream_t)stream>>>(
                    (const T *)p->in, p->mask, (T *)p->out, lines, axis,
                    lines_aligned<T>(p->in, p->mask, p->out, axis));
            return cudaGetLastError();
        }
    });
}

#define POINT(threads, items)                                                  \
    {                                                                          \
        .name = "float64_carry_b" #threads "_i" #items,                        \
        .idea = "a tile in float32, what lies between tiles in float64",       \
        .runs_on = DEVICE_CUDA, .ops = OPS_SCAN,                               \
        .dtypes = DTYPES_ALL & ~DTYPE_BIT(DTYPE_F64), .passes = 1,             \
        .error_growth = ERROR_TREE, .deterministic = true,                     \
        .refuses = contiguous_only, .launch = launch<threads, items>           \
    }

VARIANTS(scan__float64_carry) = {
    POINT(256, 16),
    {},
};
