/* SPDX-License-Identifier: MIT
 *
 * Idea     A block covers neighbouring columns by several rows: every warp
 *          reads a contiguous span, the rows stride the axis, and a tree in
 *          shared memory combines them.
 * Against  smem_tree: the block's threads lie along inner first, so that no
 *          fetched sector is wasted.
 * Traffic  N elements: the compulsory minimum (passes = 1).
 * Needs    inner >= 2; columns for many blocks, or SMs idle.
 * Source   none.
 * Lesson   Neighbouring columns share what is fetched, and the axis is
 *          parallel, too.
 */
#include "variants/reduce/split_axis/partials.cuh"

/* In a tensor narrower than Columns, the block is as narrow as the tensor and
 * deeper: `columns` by Columns * Rows / columns. */
template <class Op, int Columns, int Rows, int Items,
          class T = typename Op::element>
static __global__ void __launch_bounds__(Columns *Rows)
    block_2d(const T *__restrict__ in, T *__restrict__ out, int64_t outer,
             int64_t axis, int64_t inner, int columns)
{
    using Acc = typename Op::acc;
    __shared__ Acc sums[Columns * Rows];
    const int column = threadIdx.x % columns, row = threadIdx.x / columns;
    const int rows = Columns * Rows / columns; /* threads beyond them idle */
    const int64_t strips = ceil_div(inner, columns);

    for (int64_t tile = blockIdx.x; tile < outer * strips; tile += gridDim.x) {
        const int64_t o = tile / strips;
        const int64_t i = tile % strips * columns + column;

        /* load */
        const T *x = in + o * axis * inner + i;
        Acc sum = Op::identity();
        const auto mine = share_of<Op>(axis, row, rows);
        const int step = mine.step;
        int64_t a = i < inner && row < rows ? mine.begin : mine.end;
        for (; a + (Items - 1) * step < mine.end; a += Items * step) {
            Acc v[Items];
#pragma unroll
            for (int j = 0; j < Items; ++j)
                v[j] = Op::lift(x[(a + j * step) * inner], a + j * step);
            sum = Op::combine(sum, pairwise_sum<Op>(v));
        }
        for (; a < mine.end; a += step)
            sum = Op::combine(sum, Op::lift(x[a * inner], a));
        sums[threadIdx.x] = sum;

        add_rows<Op>(sums, rows, columns); /* upsweep */

        /* store */
        if (row == 0 && i < inner)
            out[o * inner + i] = Op::lower(sums[threadIdx.x], axis);
        __syncthreads(); /* all have read before the next tile is loaded */
    }
}

template <int Columns, int Rows, int Items>
static int launch(const struct problem *p, void *stream)
{
    return dispatch_reduce(p, [&]<class Op>(Op) -> int {
        const int64_t inner = p->shape.inner;
        const int columns = (int)(inner < Columns ? inner : Columns);
        const int64_t blocks = p->shape.outer * ceil_div(inner, columns);
        return launch_kernel(block_2d<Op, Columns, Rows, Items>, blocks,
                             Columns * Rows, 0, stream, p->in, p->out,
                             p->shape.outer, p->shape.axis, inner, columns);
    });
}

static const char *refuses(const struct problem *p)
{
    return p->shape.inner < 2 ? "serves strided lines only (inner >= 2)" : NULL;
}

#define POINT(columns, rows, items)                                            \
    {                                                                          \
        .name = "block_2d_" #columns "x" #rows "_i" #items,                    \
        .idea = "a block of columns by rows, combined in shared memory",       \
        .runs_on = DEVICE_CUDA, .ops = reductions(), .passes = 1,              \
        .error_growth = ERROR_TILED, .error_tile = rows * items,               \
        .deterministic = true, .refuses = refuses,                             \
        .launch = launch<columns, rows, items>                                 \
    }

VARIANTS(reduce__block_2d) = {
    POINT(32, 8, 8),
    {},
};
