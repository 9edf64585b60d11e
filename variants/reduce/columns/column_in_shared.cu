/* SPDX-License-Identifier: MIT
 *
 * Idea     A short axis: bulk copies, which rows of any pitch can have, bring
 *          all rows of a strip of columns to a block's shared memory; each
 *          thread reduces whole columns there.
 * Against  thread_per_line: the same loop, but each thread issues loads of its
 *          own, and narrow ones; and split_axis_last_block, which divides a
 *          long axis among blocks.
 * Traffic  N elements (passes = 1).
 * Needs    inner of at least 128, an axis of which 512 columns (or all) fit in
 *          a tile.
 * Source   none.
 * Lesson   Far fewer threads than columns suffice if a copy engine keeps the
 *          memory busy.
 */
#include "variants/common/access/column_strip.cuh"
#include "variants/common/kernel.cuh"

/* Reduces the columns of a tile; the first column's result goes to *y. */
template <class Op, int Vec, bool Single, class T>
__device__ __forceinline__ void
strip_reduce(const strips &s, const struct strip_tile &t, const T *x, T *y)
{
    constexpr int kSets = kStripSets<T, Vec>;
    strip_visit<kSets, Vec, Single>(s, t, [&](const strip_set(&sets)[kSets]) {
        typename Op::acc sums[kSets][Vec];
        set_identity<Op>(sums);
#pragma unroll 2
        for (int row = 0; row < s.axis; ++row) {
            int place[kSets];
            vec<T, Vec> values[kSets];
#pragma unroll
            for (int k = 0; k < kSets; ++k)
                place[k] = strip_place(s, t, sets[k], row);
            strip_read<Op, false, Vec>(sets, x, NULL, place, values);
#pragma unroll
            for (int k = 0; k < kSets; ++k)
#pragma unroll
                for (int j = 0; j < Vec; ++j)
                    sums[k][j] = Op::combine(sums[k][j],
                                             Op::lift(values[k].item[j], row));
        }
#pragma unroll
        for (int k = 0; k < kSets; ++k) {
            vec<T, Vec> total;
#pragma unroll
            for (int j = 0; j < Vec; ++j)
                total.item[j] = Op::lower(sums[k][j], s.axis);
            const int64_t slab = Single ? 0 : sets[k].row / s.axis;
            if (sets[k].exists)
                write_vec(y + slab * s.inner + sets[k].column, total);
        }
    });
}

/* Vec: columns of each access, a 16-byte vector or one. */
template <class Op, int Vec, int Bytes, class T = typename Op::element>
static __global__ void __launch_bounds__(kStripThreads, kStripBlocks<Bytes>)
    column_in_shared(const T *__restrict__ in, T *__restrict__ out,
                     const struct strips s)
{
    TAG(fast);
    extern __shared__ uint4 room[];
    __shared__ uint64_t loaded;
    T *x = (T *)room;
    if (threadIdx.x == 0)
        bulk_init(&loaded, 1);
    __syncthreads();
    unsigned parity = 0;

    for (int64_t n = blockIdx.x; n < s.tiles; n += gridDim.x) {
        const struct strip_tile t = strip_tile_of(s, n);
        strip_load<false>(s, t, in, NULL, x, NULL, &loaded, &parity);
        T *y = out + t.slab * s.inner + t.column;
        if (t.slabs == 1)
            strip_reduce<Op, Vec, true>(s, t, x, y);
        else
            strip_reduce<Op, Vec, false>(s, t, x, y);
        if (n + gridDim.x < s.tiles) {
            bulk_fence();
            __syncthreads(); /* the tile may be overwritten */
        }
    }
}

template <int Bytes>
static int launch(const struct problem *p, void *stream)
{
    return dispatch_reduce(p, [&]<class Op>(Op) -> int {
        using T = typename Op::element;
        const auto kernel = strips_in_vectors(p)
                                ? column_in_shared<Op, kVec<T>, Bytes>
                                : column_in_shared<Op, 1, Bytes>;
        const struct strips s = strips_of(p, Bytes);
        return bulk_launch(kernel, s.tiles, kStripThreads, Bytes, stream, p->in,
                           p->out, s);
    });
}

#define POINT(kib)                                                             \
    {                                                                          \
        .name = "column_in_shared_k" #kib,                                     \
        .idea = "a block reduces all rows of a strip of columns",              \
        .runs_on = DEVICE_CUDA, .ops = reductions(), .passes = 1,              \
        .error_growth = ERROR_SERIAL, .deterministic = true,                   \
        .refuses = strips_refuse<(kib) << 10>, .launch = launch<(kib) << 10>   \
    }

VARIANTS(reduce__column_in_shared) = {
    POINT(44),
    {},
};
