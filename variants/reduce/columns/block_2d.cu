/* SPDX-License-Identifier: MIT
 *
 * Idea     A block covers 32 neighbouring columns by 8 to 32 rows: every warp
 *          reads a contiguous span, the rows stride the axis, and a tree in
 *          shared memory combines them. One short kernel, sixteen loads in
 *          flight per thread.
 * Against  smem_tree: the block's threads lie along inner first, so that no
 *          fetched sector is wasted; strip_registers, split_axis_atomics: no
 *          second kernel, nothing to clear, a third of the instructions.
 * Traffic  N elements: the compulsory minimum (passes = 1).
 * Needs    inner >= 2; columns for many blocks, or SMs idle.
 * Source   none.
 * Lesson   Launches, first instructions and round trips dominate up to a few
 *          megabytes: one that loads its whole share at once is up to twice as
 *          fast as kernels that reach the memory's speed.
 */
#include "variants/common/access/column_vectors.cuh"
#include "variants/reduce/split_axis/partials.cuh"

constexpr unsigned kNeeds = NEEDS_SUM_OR_PASSES;

constexpr int kColumns = 32, kDeepest = 32, kItems = 16;

/* In a narrower tensor, the block is as narrow and deeper: `columns` by
 * blockDim.x / columns. 64 bits are not divided, as that is a call. */
template <class Op, class T = typename Op::element>
static __global__ void __launch_bounds__(kColumns *kDeepest)
    block_2d(const T *__restrict__ in, output_of<Op> *__restrict__ out,
             struct shape shape, int columns, int64_t strips)
{
    using Acc = typename Op::acc;
    __shared__ Acc sums[kColumns * kDeepest];
    const int column = threadIdx.x % columns, row = threadIdx.x / columns;
    const int rows = (int)blockDim.x / columns; /* threads beyond them idle */
    const auto mine = share_of<Op>(shape.axis, row, rows);
    const int64_t step = mine.step * shape.inner; /* elements */

    for (int64_t tile = blockIdx.x; tile < shape.outer * strips;
         tile += gridDim.x) {
        const row_and_column at(tile, strips);
        const int64_t i = at.column * columns + column;
        const bool inside = i < shape.inner && row < rows;

        /* load */
        const T *x = in + (at.row * shape.axis + mine.begin) * shape.inner + i;
        Acc sum = Op::identity();
        for (int64_t a = inside ? mine.begin : mine.end; a < mine.end;
             a += kItems * mine.step) {
            T v[kItems];
#pragma unroll
            for (int j = 0; j < kItems; ++j, x += step)
                v[j] = a + j * mine.step < mine.end ? *x : Op::pad();
            sum =
                add_items<Op>(sum, v, [&](int j) { return a + j * mine.step; });
        }
        sums[threadIdx.x] = sum;

        add_rows<Op>(sums, rows, columns); /* upsweep */

        /* store */
        if (row == 0 && i < shape.inner)
            out[at.row * shape.inner + i] =
                Op::lower(sums[threadIdx.x], shape.axis);
        __syncthreads(); /* all have read before the next tile is loaded */
    }
}

/* Rows of a block: those that load the axis at once, as far as there are
 * threads for all blocks. */
static int rows_of(const struct problem *p, int64_t blocks)
{
    const int64_t threads = (int64_t)p->device->sm_count * 1024;
    int rows = 8;
    while (rows < kDeepest && rows * kItems < p->shape.axis &&
           2 * rows * kColumns * blocks <= threads)
        rows *= 2;
    return rows;
}

static int launch(const struct problem *p, void *stream)
{
    return dispatch_reduce<kNeeds>(p, [&]<class Op>(Op) -> int {
        const int64_t inner = p->shape.inner;
        const int columns = (int)(inner < kColumns ? inner : kColumns);
        const int64_t strips = ceil_div(inner, columns);
        const int64_t blocks = p->shape.outer * strips;
        return launch_kernel(block_2d<Op>, blocks,
                             kColumns * rows_of(p, blocks), 0, stream, p->in,
                             p->out, p->shape, columns, strips);
    });
}

static const char *refuses(const struct problem *p)
{
    if (p->shape.inner < 2)
        return "serves strided lines only (inner >= 2)";
    return too_many_vectors(p, p->shape.inner < kColumns ? p->shape.inner
                                                         : kColumns);
}

VARIANTS(reduce__block_2d) = {
    {
        .name = "block_2d_i16",
        .idea = "a block of columns by rows, combined in shared memory",
        .runs_on = DEVICE_CUDA,
        .ops = reductions<kNeeds>(),
        .passes = 1,
        .error_growth = ERROR_TILED,
        .error_tile = 128,
        .deterministic = true,
        .refuses = refuses,
        .launch = launch,
        .portable_bits = true,
    },
    {},
};
