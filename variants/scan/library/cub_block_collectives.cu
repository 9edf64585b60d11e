/* SPDX-License-Identifier: MIT
 *
 * Idea     One block walks one line tile by tile, and CUB's collectives do all
 *          the work: BlockLoad and BlockStore turn the coalesced tile into a
 *          run of items a thread, BlockScan asks for the running prefix.
 * Against  block_per_line: scalar accesses and a transposition through shared
 *          memory, where that uses 16-byte vectors and none.
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

#include "variants/common/kernel.cuh"

/* BlockScan calls it with each tile's total; it knows what came before. */
template <class Acc>
struct running_prefix {
    Acc carry;
    __device__ Acc operator()(Acc tile_total)
    {
        const Acc before = carry;
        carry += tile_total;
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
    using Acc = acc_t<T>;
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
        running_prefix<Acc> prefix = { 0 };
        for (int64_t a = 0; a < axis; a += kTile) {
            const int valid = (int)(axis - a < kTile ? axis - a : kTile);
            T x[Items];
            Acc v[Items];

            /* load */
            Load(temp.load).Load(walk<Scan>(in + start, axis, a), x, valid,
                                 from_acc<T>(0));
            __syncthreads();
#pragma unroll
            for (int k = 0; k < Items; ++k)
                v[k] = to_acc(x[k]);
            if constexpr (Scan::masked) {
                uint8_t m[Items];
                MaskLoad(temp.mask).Load(mask + start + a, m, valid, 0);
                __syncthreads();
#pragma unroll
                for (int k = 0; k < Items; ++k)
                    v[k] = m[k] ? v[k] : Acc(0);
            }

            /* scan */
            if constexpr (Scan::exclusive)
                Sums(temp.sums).ExclusiveSum(v, v, prefix);
            else
                Sums(temp.sums).InclusiveSum(v, v, prefix);
            __syncthreads();

            /* store */
#pragma unroll
            for (int k = 0; k < Items; ++k)
                x[k] = from_acc<T>(v[k]);
            Store(temp.store).Store(walk<Scan>(out + start, axis, a), x, valid);
            __syncthreads();
        }
    }
}

/* Items of an f32 or half line a thread; a double takes two registers. */
template <class T, int Items>
constexpr int kItems = sizeof(T) == 8 ? Items / 2 : Items;

template <int Threads, int Items>
static int launch(const struct problem *p, void *stream)
{
    return dispatch_scan(p, [&](auto type, auto scan) -> int {
        using T = typename decltype(type)::type;
        const int64_t lines = shape_lines(p->shape);
        cub_block_collectives<T, decltype(scan), Threads, kItems<T, Items>>
            <<<grid_x(lines), Threads, 0, (cudaStream_t)stream>>>(
                (const T *)p->in, p->mask, (T *)p->out, lines, p->shape.axis);
        return cudaGetLastError();
    });
}

/* A tile of doubles is half as long, and the bound must hold for it too. */
#define POINT(threads, items)                                                  \
    {                                                                          \
        .name = "cub_block_collectives_b" #threads "_i" #items,                \
        .idea =                                                                \
            "one block walks a line with CUB's block load, scan and store",    \
        .runs_on = DEVICE_CUDA, .ops = OPS_SCAN, .dtypes = DTYPES_ALL,         \
        .passes = 1, .error_growth = ERROR_TILED,                              \
        .error_tile = threads * items / 2, .deterministic = true,              \
        .refuses = contiguous_only, .launch = launch<threads, items>           \
    }

VARIANTS(scan__cub_block_collectives) = {
    POINT(128, 16),
    POINT(256, 16),
    {},
};
