/* SPDX-License-Identifier: MIT
 *
 * Sums whose blocks have equal shares of the tensor's rows, wherever these are
 * cut: how rows are shared out, and the kernel that adds up what blocks have of
 * the lines that they share.
 */
#ifndef VARIANTS_REDUCE_SPANS_SHARES_CUH
#define VARIANTS_REDUCE_SPANS_SHARES_CUH

#include "variants/reduce/split_axis/partials.cuh"

/* Slab o, the lines of outer index o, has rows o * axis to o * axis + axis - 1.
 * Block b of `blocks` has rows first_row(b) to first_row(b + 1) - 1. What it
 * sums of a slab that others have rows of, too, goes to one of its two slots,
 * of `inner` sums: the first, if its rows begin with it. */
struct shares {
    int64_t rows, blocks;
    int64_t slabs, axis, inner;

    __device__ __forceinline__ int64_t first_row(int64_t b) const
    {
        return rows * b / blocks;
    }
    __device__ __forceinline__ int64_t block_of(int64_t row) const
    {
        return ((row + 1) * blocks - 1) / rows;
    }
    /* The slot of block b's part of slab o. */
    __device__ __forceinline__ int64_t slot(int64_t b, int64_t o) const
    {
        return 2 * b + (first_row(b) < o * axis ? 1 : 0);
    }
};

/* A block a multiprocessor, but none with less than 8 KiB. */
static inline struct shares shares_of(const struct problem *p)
{
    struct shares s = { .slabs = p->shape.outer,
                        .axis = p->shape.axis,
                        .inner = p->shape.inner };
    s.rows = s.slabs * s.axis;
    const int64_t parts =
        s.rows * s.inner * (int64_t)dtype_bytes(p->dtype) >> 13;
    const int64_t blocks = p->device->sm_count;
    s.blocks = blocks < parts ? blocks : parts;
    s.blocks = s.blocks < s.rows ? s.blocks : s.rows;
    s.blocks = s.blocks > 1 ? s.blocks : 1;
    return s;
}

/* Bytes of the slots; 0 where no slab is cut. */
static inline size_t shares_bytes(const struct problem *p,
                                  const struct shares &s)
{
    const size_t acc_bytes = p->dtype == DTYPE_F64 ? 8 : 4;
    return s.slabs % s.blocks == 0 ? 0 : 2 * s.blocks * s.inner * acc_bytes;
}

/* Adds the shares of a slab up, `columns` columns a block. There are at most
 * `slabs` that are cut: all of them, or, of more than blocks, those that a
 * block's first row is in. */
template <class T>
static __global__ void __launch_bounds__(kPartialThreads)
    add_shares(const acc_t<T> *partials, T *out, const struct shares s,
               int64_t slabs, int columns)
{
    using Acc = acc_t<T>;
    __shared__ Acc sums[kPartialThreads];
    const int64_t tiles = ceil_div(s.inner, columns);
    const int column = threadIdx.x % columns, row = threadIdx.x / columns;
    const int rows = kPartialThreads / columns;
    early_wait();

    for (int64_t n = blockIdx.x; n < slabs * tiles; n += gridDim.x) {
        const int c = (int)(n % tiles) * columns + column;
        const int64_t o = s.slabs < s.blocks
                              ? n / tiles
                              : s.first_row(n / tiles + 1) / s.axis;
        const int64_t first = s.block_of(o * s.axis);
        const int64_t last = s.block_of((o + 1) * s.axis - 1);
        if (first == last) /* for all threads: one block had it */
            continue;
        const bool mine = c < s.inner;
        Acc sum = 0;
        if (mine)
#pragma unroll 4
            for (int64_t b = first + row; b <= last; b += rows)
                sum += __ldcg(partials + s.slot(b, o) * s.inner + c);
        sums[threadIdx.x] = sum;
        add_rows(sums, rows, columns);
        if (row == 0 && mine)
            out[o * s.inner + c] = from_acc<T>(sums[threadIdx.x]);
        __syncthreads(); /* all have read before the next are written */
    }
}

/* Queues that, after a kernel that lets it start early, if any slab is cut. */
template <class T>
int launch_add_shares(const struct problem *p, const struct shares &s,
                      cudaStream_t stream)
{
    if (s.slabs % s.blocks == 0)
        return cudaSuccess;
    const int64_t slabs = s.slabs < s.blocks ? s.slabs : s.blocks - 1;
    const int columns = partial_columns(s.blocks / s.slabs + 2);
    return launch_early(
        p, add_shares<T>, grid_x(slabs * ceil_div(s.inner, columns)),
        kPartialThreads, 0, stream, (const acc_t<T> *)p->workspace, (T *)p->out,
        s, slabs, columns);
}

#endif
