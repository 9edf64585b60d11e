/* SPDX-License-Identifier: MIT
 *
 * For reductions whose blocks have equal shares of the tensor's rows, which may
 * cut slabs anywhere: the assignment of rows to blocks, and the kernel that
 * combines the partial results of the slabs that are cut.
 */
#ifndef VARIANTS_REDUCE_SPANS_SHARES_CUH
#define VARIANTS_REDUCE_SPANS_SHARES_CUH

#include "variants/reduce/split_axis/partials.cuh"

/* Slab o, the lines of outer index o, is rows o * axis to o * axis + axis - 1.
 * Block b of `blocks` has rows first_row(b) to first_row(b + 1) - 1. It stores
 * its partial results of a slab that it shares in one of its two slots, of
 * `inner` accumulators each: the first if its rows begin in that slab. */
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

/* One block per multiprocessor, or fewer to give each at least 8 KiB. */
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

/* Bytes of the slots; 0 if no slab is cut. */
static inline size_t shares_bytes(const struct problem *p,
                                  const struct shares &s)
{
    return s.slabs % s.blocks == 0 ? 0 : 2 * s.blocks * s.inner * acc_bytes(p);
}

/* Combines the blocks' partial results, `columns` columns of a slab per block.
 * `slabs` counts those that may be cut: all of them, or, if there are more
 * slabs than blocks, those in which blocks begin. */
template <class Op, class T = typename Op::element>
static __global__ void __launch_bounds__(kPartialThreads)
    add_shares(const typename Op::acc *partials, T *out, const struct shares s,
               int64_t slabs, int columns)
{
    using Acc = typename Op::acc;
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
        if (first == last) /* in all threads: the slab is not cut */
            continue;
        const bool mine = c < s.inner;
        Acc sum = Op::identity();
        if (mine)
#pragma unroll 4
            for (int64_t b = first + row; b <= last; b += rows)
                sum = Op::combine(
                    sum, read_partial(partials + s.slot(b, o) * s.inner + c));
        sums[threadIdx.x] = sum;
        add_rows<Op>(sums, rows, columns);
        if (row == 0 && mine)
            out[o * s.inner + c] = Op::lower(sums[threadIdx.x], s.axis);
        __syncthreads(); /* all have read before the next are written */
    }
}

/* Queues add_shares() if any slab is cut; the kernel before it lets it start
 * early. */
template <class Op>
int launch_add_shares(const struct problem *p, const struct shares &s,
                      void *stream)
{
    if (s.slabs % s.blocks == 0)
        return cudaSuccess;
    const int64_t slabs = s.slabs < s.blocks ? s.slabs : s.blocks - 1;
    const int columns = partial_columns(s.blocks / s.slabs + 2);
    return launch_early(p, add_shares<Op>, slabs * ceil_div(s.inner, columns),
                        kPartialThreads, 0, stream, p->workspace, p->out, s,
                        slabs, columns);
}

#endif
