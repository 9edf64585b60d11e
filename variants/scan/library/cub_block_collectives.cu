/* SPDX-License-Identifier: MIT
 *
 * Idea     One block walks one line tile by tile, and CUB's collectives do all
 *          the work: BlockLoad and BlockStore transpose between coalesced
 *          accesses and consecutive items per thread, and BlockScan carries
 *          the running prefix from tile to tile.
 * Against  block_per_line: its 16-byte vectors need no transposition; here
 *          accesses are scalar, and go through shared memory.
 * Traffic  2N elements: the compulsory minimum (passes = 1).
 * Needs    inner == 1. CUB.
 * Source   CUB, cub::BlockScan, its example of a running prefix.
 * Lesson   Striped accesses and an exchange in shared memory work the same
 *          wherever a line starts.
 */
#include <cub/block/block_load.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_store.cuh>
#include <thrust/iterator/reverse_iterator.h>

#include "variants/common/cub_functors.cuh"

/* BlockScan calls it with each tile's total; it returns the carry-in. */
template <class Op>
struct running_prefix {
    using Acc = typename Op::acc;
    Acc carry;
    __device__ Acc operator()(const Acc &tile_total)
    {
        const Acc before = carry;
        carry = Op::combine(carry, tile_total);
        return before;
    }
};

/* Element a of the line that starts at `line`, in walk order. */
template <class Scan, class T>
__device__ __forceinline__ auto walk(T *line, int64_t axis, int64_t a)
{
    if constexpr (Scan::reverse)
        return thrust::make_reverse_iterator(line + axis - a);
    else
        return line + a;
}

template <class T, class Scan, int Threads, int Items>
static __global__ void __launch_bounds__(Threads)
    cub_block_collectives(const T *__restrict__ in,
                          const uint8_t *__restrict__ mask, T *__restrict__ out,
                          int64_t lines, int64_t axis)
{
    using Op = op_of<Scan, T>;
    using Acc = typename Op::acc;
    using Load =
        cub::BlockLoad<T, Threads, Items, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
    using MaskLoad =
        cub::BlockLoad<uint8_t, Threads, Items, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
    using Sums = cub::BlockScan<Acc, Threads, cub::BLOCK_SCAN_WARP_SCANS>;
    using Store =
        cub::BlockStore<T, Threads, Items, cub::BLOCK_STORE_WARP_TRANSPOSE>;
    constexpr int kTile = Threads * Items;
    __shared__ union {
        typename Load::TempStorage load;
        typename MaskLoad::TempStorage mask;
        typename Sums::TempStorage sums;
        typename Store::TempStorage store;
    } temp;

    for (int64_t line = blockIdx.x; line < lines; line += gridDim.x) {
        const int64_t start = line * axis;
        running_prefix<Op> prefix = { Op::identity() };
        for (int64_t a = 0; a < axis; a += kTile) {
            const int valid = (int)(axis - a < kTile ? axis - a : kTile);
            T x[Items];
            Acc v[Items];

            /* load */
            Load(temp.load).Load(walk<Scan>(in + start, axis, a), x, valid,
                                 Op::pad());
            __syncthreads();
#pragma unroll
            for (int k = 0; k < Items; ++k)
                v[k] = Op::lift(x[k]);
            if constexpr (Scan::masked) {
                uint8_t m[Items];
                MaskLoad(temp.mask).Load(mask + start + a, m, valid, 0);
                __syncthreads();
#pragma unroll
                for (int k = 0; k < Items; ++k)
                    v[k] = m[k] ? v[k] : Op::identity();
            }

            /* scan */
            if constexpr (Scan::exclusive)
                Sums(temp.sums).ExclusiveScan(v, v, cub_combine<Op>{}, prefix);
            else
                Sums(temp.sums).InclusiveScan(v, v, cub_combine<Op>{}, prefix);
            __syncthreads();

            /* store */
#pragma unroll
            for (int k = 0; k < Items; ++k)
                x[k] = Op::lower(v[k]);
            Store(temp.store).Store(walk<Scan>(out + start, axis, a), x, valid);
            __syncthreads();
        }
    }
}

/* Items per thread: half as many doubles, which take two registers each. */
template <class T, int Items>
constexpr int kItems = sizeof(T) == 8 ? Items / 2 : Items;

template <int Threads, int Items>
static int launch(const struct problem *p, void *stream)
{
    return dispatch_scan(p, [&]<class T, class Scan>(tag<T>, Scan) -> int {
        const int64_t lines = shape_lines(p->shape);
        return launch_kernel(
            cub_block_collectives<T, Scan, Threads, kItems<T, Items>>, lines,
            Threads, 0, stream, p->in, p->mask, p->out, lines, p->shape.axis);
    });
}

/* error_tile: a tile of doubles is half as long. */
#define POINT(threads, items)                                                  \
    {                                                                          \
        .name = "cub_block_collectives_b" #threads "_i" #items,                \
        .idea =                                                                \
            "one block walks a line with CUB's block load, scan and store",    \
        ON_CUDA(scans(), 1), ERROR_OF_TILES(threads * items / 2),              \
        .deterministic = true, .refuses = contiguous_only,                     \
        .launch = launch<threads, items>                                       \
    }

VARIANTS(scan__cub_block_collectives) = {
    POINT(128, 16),
    POINT(256, 16),
    {},
};
