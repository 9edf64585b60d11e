/* SPDX-License-Identifier: MIT
 *
 * Idea     The carry is a sum of two numbers: what the rounded sum loses, an
 *          error-free addition (TwoSum) finds exactly, and the second number
 *          keeps. So tiles add no error that the line's length would show:
 *          about 20 additions count, all of them within the tile (ERROR_TREE).
 * Against  float64_carry: six additions a tile instead of float64, which needs
 *          no float64 units, and serves f64 too, whose carry then has some 106
 *          bits; an element costs two additions, and no conversion.
 * Traffic  2N elements: the compulsory minimum (passes = 1).
 * Needs    inner == 1.
 * Source   D. Knuth, The Art of Computer Programming, vol. 2, 4.2.2 (TwoSum);
 *          A. Neumaier, ZAMM 54 (1974): carry the error along.
 * Lesson   The part that an addition loses can be carried along; no wider type
 *          is needed.
 */
#include "variants/common/kernel.cuh"

/* high + low, unevaluated: low is what high has lost. */
template <class Acc>
struct compensated_sum {
    Acc high, low;
};

/* sum + x. An infinite sum stays one: it has no error, but infinity minus
 * infinity has none either. */
template <class Acc>
__device__ __forceinline__ compensated_sum<Acc>
add_compensated(compensated_sum<Acc> sum, Acc x)
{
    const Acc high = sum.high + x, back = high - sum.high;
    const Acc lost = (sum.high - (high - back)) + (x - back);
    return { high, isfinite(high) ? sum.low + lost : Acc(0) };
}

/* block_per_line's tile, but for `carry`. */
template <class T, class Scan, int Threads, int Vecs>
static __global__ void __launch_bounds__(Threads, 1024 / Threads)
    compensated(const T *__restrict__ in, const uint8_t *__restrict__ mask,
                T *__restrict__ out, int64_t lines, int64_t axis, bool aligned)
{
    using Acc = acc_t<T>;
    constexpr int kRow = 32 * kVec<T>; /* elements in one access of a warp */
    constexpr int kTile = Threads / 32 * Vecs * kRow;
    __shared__ Acc totals[2][Threads / 32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int64_t tiles = ceil_div(axis, kTile);
    int side = 0; /* of totals */

    for (int64_t line = blockIdx.x; line < lines; line += gridDim.x) {
        const int64_t start = line * axis;
        compensated_sum<Acc> carry = { 0, 0 };
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
            const Acc warp_total =
                rows_prefix<sum_op<T>, Scan::reverse>(v, before);

            /* spine */
            Acc tile_total;
            const Acc warps = warps_prefix<sum_op<T>, Scan::reverse, Threads>(
                warp_total, totals[side], &tile_total);
            side ^= 1;

            /* downsweep, store: the largest number is added last */
#pragma unroll
            for (int j = 0; j < Vecs; ++j) {
                items_scan<Scan, sum_op<T>>(v[j], Acc(0));
                const Acc first = carry.low + (warps + before[j]);
#pragma unroll
                for (int k = 0; k < kVec<T>; ++k)
                    v[j][k] = carry.high + (first + v[j][k]);
                store_items(out + start, at + j * kRow, axis, aligned, v[j]);
            }
            carry = add_compensated(carry, tile_total);
        }
    }
}

template <int Threads, int Items>
static int launch(const struct problem *p, void *stream)
{
    return dispatch_scan(p, [&](auto type, auto scan) -> int {
        using T = typename decltype(type)::type;
        const int64_t axis = p->shape.axis, lines = shape_lines(p->shape);
        compensated<T, decltype(scan), Threads, kTileVectors<T, Items>>
            <<<grid_x(lines), Threads, 0, (cudaStream_t)stream>>>(
                (const T *)p->in, p->mask, (T *)p->out, lines, axis,
                lines_aligned<T>(p->in, p->mask, p->out, axis));
        return cudaGetLastError();
    });
}

#define POINT(threads, items)                                                  \
    {                                                                          \
        .name = "compensated_b" #threads "_i" #items,                          \
        .idea = "a carry in two numbers: the sum and what it lost",            \
        .runs_on = DEVICE_CUDA, .ops = OPS_SCAN, .dtypes = DTYPES_ALL,         \
        .passes = 1, .error_growth = ERROR_TREE, .deterministic = true,        \
        .refuses = contiguous_only, .launch = launch<threads, items>           \
    }

VARIANTS(scan__compensated) = {
    POINT(256, 16),
    {},
};
