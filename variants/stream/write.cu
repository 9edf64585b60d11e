/* SPDX-License-Identifier: MIT
 *
 * Idea     16-byte stores of a constant; blocks take tiles in memory order, or
 *          one wave of persistent blocks strides on; wide points have 32-byte
 *          stores (compute capability 10.0).
 * Against  driver: a kernel whose geometry is ours to vary.
 * Traffic  N elements: the compulsory minimum (passes = 1).
 * Needs    nothing; falls back to 2-byte stores off 16-byte boundaries.
 * Source   none.
 * Lesson   Writing in address order is faster than copying, too.
 */
#include <string.h>

#include "variants/common/access/wide.cuh"

/* Fills whole Units, and `tail` more bytes that do not fill one. */
template <class Unit, int Threads, int Stores>
static __global__ void __launch_bounds__(Threads)
    write(Unit *__restrict__ out, int64_t units, int tail, Unit pattern)
{
    TAG(fast, std::is_same_v<Unit, uint4>);
    constexpr int kTile = Threads * Stores;
    const int64_t tiles = units / kTile;
    for (int64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x)
#pragma unroll
        for (int j = 0; j < Stores; ++j)
            store_unit(out + tile * kTile + j * Threads + threadIdx.x, pattern);

    /* the partial tile */
    if (blockIdx.x != gridDim.x - 1)
        return;
    for (int64_t at = tiles * kTile + threadIdx.x; at < units; at += Threads)
        out[at] = pattern;
    if (threadIdx.x < tail)
        ((uint8_t *)(out + units))[threadIdx.x] = WRITE_BYTE;
}

template <int Threads, int Items, enum unit_walk Walk>
static int launch(const struct problem *p, void *stream)
{
    const int64_t bytes = op_out_bytes(p->op, p->dtype, p->shape);
    return with_unit<Walk>((uintptr_t)p->out, [&]<class Unit>(tag<Unit>) {
        constexpr int kStores = kUnitLoads<Unit, Items>;
        const struct unit_grid g =
            unit_grid_of<Unit>(p, bytes, Threads, kStores, Walk == PERSISTENT);
        Unit pattern;
        memset(&pattern, WRITE_BYTE, sizeof pattern);
        return launch_kernel(write<Unit, Threads, kStores>, g.blocks, Threads,
                             0, stream, p->out, g.units, g.tail, pattern);
    });
}

/* Items are 32-bit words, four a store; eight if wide. */
#define POINT(text, idea_, threads, items, walk)                               \
    {                                                                          \
        .name = "write" text "_b" #threads "_i" #items, .idea = idea_,         \
        MOVES_ON_CUDA(FORM_OF(OP_WRITE), DTYPES_ALL), .deterministic = true,   \
        .refuses = walk == WIDE ? wide_refuses : NULL,                         \
        .launch = launch<threads, items, walk>                                 \
    }
#define NARROW "16-byte stores of a constant"

VARIANTS(stream__write) = {
    POINT("", NARROW, 128, 4, EACH_TILE),
    POINT("", NARROW, 256, 16, EACH_TILE),
    POINT("", NARROW, 1024, 4, EACH_TILE),
    POINT("_persistent", NARROW, 512, 16, PERSISTENT),
    POINT("_wide", "32-byte stores of a constant", 256, 16, WIDE),
    {},
};
