/* SPDX-License-Identifier: MIT
 *
 * Idea     A strided axis made contiguous: transpose every slab of axis x inner
 *          elements through shared memory, scan its lines, transpose back.
 * Against  block_per_line, which is the scan in the middle: here the axis may
 *          have any stride, for two more passes. column_lookback scans the
 *          same lines in place.
 * Traffic  6N elements and the mask (passes = 3; masked: 25 bytes per element
 *          for 9 in f32).
 * Needs    inner > 1; workspace for one of the tensors in between; the other
 *          is `out`.
 * Source   x.transpose(d, -1).contiguous() and back, a usual formulation; the
 *          tile: G. Ruetsch and P. Micikevicius, "Optimizing Matrix Transpose
 *          in CUDA" (2009).
 * Lesson   A better layout for the scan costs two more passes over memory.
 */
#include "variants/scan/multi_pass/tile_scan.cuh"

constexpr unsigned kNeeds = IS_LESSON;

constexpr int kSide = 32;                                  /* per tile */
constexpr int kTileRows = kTileThreads / kSide;            /* at a time */
[[maybe_unused]] constexpr int kSteps = kSide / kTileRows; /* elements each */

/* Slabs of rows x columns become slabs of columns x rows, masked-off elements
 * pads. */
template <class Op, bool Masked, class T>
static __global__ void __launch_bounds__(kTileThreads)
    transpose_scan_transpose_turn(const T *__restrict__ in,
                                  const uint8_t *__restrict__ mask,
                                  T *__restrict__ out, int64_t slabs,
                                  int64_t rows, int64_t columns)
{
    /* The additional column avoids bank conflicts. */
    __shared__ T tile[kSide][kSide + 1];
    const int x = threadIdx.x % kSide, first_y = threadIdx.x / kSide;
    const int64_t across = ceil_div(columns, kSide);
    const int64_t down = ceil_div(rows, kSide);

    for (int64_t b = blockIdx.x; b < slabs * down * across; b += gridDim.x) {
        const int64_t tile_row = divide(b, across); /* in all slabs */
        const int64_t slab = divide(tile_row, down);
        const int64_t row = (tile_row - slab * down) * kSide;
        const int64_t column = (b - tile_row * across) * kSide;
        const int64_t start = slab * rows * columns;

        /* load: all that a thread takes is in flight at once */
        const int64_t from = start + (row + first_y) * columns + column + x;
        T value[kSteps] = {};
        uint8_t taken[kSteps] = {};
#pragma unroll
        for (int k = 0; k < kSteps; ++k)
            if (row + first_y + k * kTileRows < rows && column + x < columns) {
                value[k] = in[from + k * kTileRows * columns];
                if (Masked)
                    taken[k] = mask[from + k * kTileRows * columns];
            }
#pragma unroll
        for (int k = 0; k < kSteps; ++k)
            tile[first_y + k * kTileRows][x] =
                !Masked || taken[k] ? value[k] : Op::pad();
        __syncthreads();

        /* store */
        const int64_t to = start + (column + first_y) * rows + row + x;
#pragma unroll
        for (int k = 0; k < kSteps; ++k)
            if (column + first_y + k * kTileRows < columns && row + x < rows)
                out[to + k * kTileRows * rows] =
                    tile[x][first_y + k * kTileRows];
        __syncthreads(); /* the tile is free again */
    }
}

static int launch(const struct problem *p, void *stream)
{
    return dispatch_scan<kNeeds>(
        p, [&]<class T, class Form>(tag<T>, Form) -> int {
            using Op = op_of<Form, T>;
            /* The transposition applies the mask. */
            using Scan = scan_form<Form::reverse, Form::exclusive, false>;
            const int64_t outer = p->shape.outer;
            const int64_t axis = p->shape.axis, inner = p->shape.inner;
            const int64_t blocks =
                outer * ceil_div(axis, kSide) * ceil_div(inner, kSide);
            T *const out = (T *)p->out, *const scanned = (T *)p->workspace;

            int error = launch_kernel(
                transpose_scan_transpose_turn<Op, Form::masked, T>, blocks,
                kTileThreads, 0, stream, p->in, p->mask, out, outer, axis,
                inner);
            if (!error)
                error = launch_scan_lines<Scan, Op>(p, out, scanned, stream);
            if (error)
                return error;
            return launch_kernel(transpose_scan_transpose_turn<Op, false, T>,
                                 blocks, kTileThreads, 0, stream, scanned, NULL,
                                 out, outer, inner, axis);
        });
}

VARIANTS(scan__transpose_scan_transpose) = {
    { .name = "transpose_scan_transpose",
      .idea = "transpose, scan contiguous lines, transpose back",
      ON_CUDA(scans<kNeeds>(), 3),
      .passes_masked = 25 / 9.0,
      ERROR_OF_TILES(2048),
      .deterministic = true,
      .refuses = strided_only,
      .workspace_bytes = tensor_bytes,
      .launch = launch },
    {},
};
