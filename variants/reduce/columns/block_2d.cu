/* SPDX-License-Identifier: MIT
 *
 * Idea     A block is a patch of neighbouring columns by several rows: every
 *          warp reads a contiguous span, the rows stride the axis, and
 *          shared memory joins them.
 * Against  smem_tree: the block's threads lie along inner first, so that no
 *          fetched sector is wasted.
 * Traffic  N elements: the compulsory minimum (passes = 1).
 * Needs    inner >= 2; shines where there are columns for many blocks.
 * Source   none.
 * Lesson   Neighbouring columns share what is fetched, and the axis is
 *          parallel, too.
 */
#include "variants/reduce/split_axis/partials.cuh"

/* Where the tensor is narrower than Columns, the block becomes as narrow, and
 * deeper: `columns` by Columns * Rows / columns. */
template <class T, int Columns, int Rows, int Items>
static __global__ void __launch_bounds__(Columns *Rows)
    block_2d(const T *__restrict__ in, T *__restrict__ out, int64_t outer,
             int64_t axis, int64_t inner, int columns)
{
    using Acc = acc_t<T>;
    __shared__ Acc sums[Columns * Rows];
    const int column = threadIdx.x % columns, row = threadIdx.x / columns;
    const int rows = Columns * Rows / columns; /* threads beyond them idle */
    const int64_t strips = ceil_div(inner, columns);

    for (int64_t tile = blockIdx.x; tile < outer * strips; tile += gridDim.x) {
        const int64_t o = tile / strips;
        const int64_t i = tile % strips * columns + column;

        /* load */
        const T *x = in + o * axis * inner + i;
        Acc sum = 0;
        int64_t a = i < inner && row < rows ? row : axis;
        for (; a + (Items - 1) * rows < axis; a += Items * rows) {
            Acc v[Items];
#pragma unroll
            for (int j = 0; j < Items; ++j)
                v[j] = to_acc(x[(a + j * rows) * inner]);
            sum += pairwise_sum(v);
        }
        for (; a < axis; a += rows)
            sum += to_acc(x[a * inner]);
        sums[threadIdx.x] = sum;

        add_rows(sums, rows, columns); /* upsweep */

        /* store */
        if (row == 0 && i < inner)
            out[o * inner + i] = from_acc<T>(sums[threadIdx.x]);
        __syncthreads(); /* all have read before the next tile is loaded */
    }
}

template <int Columns, int Rows, int Items>
static int launch(const struct problem *p, void *stream)
{
    return dispatch_dtype(p->dtype, [&](auto type) -> int {
        using T = typename decltype(type)::type;
        const int64_t inner = p->shape.inner;
        const int columns = (int)(inner < Columns ? inner : Columns);
        const int64_t blocks = p->shape.outer * ceil_div(inner, columns);
        block_2d<T, Columns, Rows, Items>
            <<<grid_x(blocks), Columns * Rows, 0, (cudaStream_t)stream>>>(
                (const T *)p->in, (T *)p->out, p->shape.outer, p->shape.axis,
                inner, columns);
        return cudaGetLastError();
    });
}

static const char *refuses(const struct problem *p)
{
    return p->shape.inner < 2 ? "serves strided lines only (inner >= 2)" : NULL;
}

#define POINT(columns, rows, items)                                            \
    {                                                                          \
        .name = "block_2d_" #columns "x" #rows "_i" #items,                    \
        .idea = "a block of columns by rows, joined in shared memory",         \
        .runs_on = DEVICE_CUDA, .ops = OP_BIT(OP_SUM), .dtypes = DTYPES_ALL,   \
        .passes = 1, .error_growth = ERROR_TILED, .error_tile = rows * items,  \
        .deterministic = true, .refuses = refuses,                             \
        .launch = launch<columns, rows, items>                                 \
    }

VARIANTS(reduce__block_2d) = {
    POINT(32, 8, 8),
    {},
};
