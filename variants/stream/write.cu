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
#include "variants/common/kernel.cuh"

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

    /* what does not fill a tile */
    if (blockIdx.x != gridDim.x - 1)
        return;
    for (int64_t at = tiles * kTile + threadIdx.x; at < units; at += Threads)
        out[at] = pattern;
    if (threadIdx.x < tail)
        ((uint8_t *)(out + units))[threadIdx.x] = WRITE_BYTE;
}

template <class Unit, int Threads, int Stores>
static int launch_units(const struct problem *p, bool persistent, void *stream)
{
    const int64_t bytes = op_out_bytes(p->op, p->dtype, p->shape);
    const int64_t units = bytes / (int64_t)sizeof(Unit);
    int64_t blocks = units / (Threads * Stores);
    const int64_t wave = blocks_in_a_wave(p->device, Threads);
    if (persistent && blocks > wave)
        blocks = wave;
    Unit pattern;
    memset(&pattern, WRITE_BYTE, sizeof pattern);
    write<Unit, Threads, Stores>
        <<<grid_x(blocks ? blocks : 1), Threads, 0, (cudaStream_t)stream>>>(
            (Unit *)p->out, units, (int)(bytes % (int64_t)sizeof(Unit)),
            pattern);
    return cudaGetLastError();
}

template <int Threads, int Items, bool Persistent>
static int launch(const struct problem *p, void *stream)
{
    if ((uintptr_t)p->out % 16 == 0)
        return launch_units<uint4, Threads, Items / 4>(p, Persistent, stream);
    if ((uintptr_t)p->out % 2)
        return launch_units<uint8_t, Threads, Items / 4>(p, Persistent, stream);
    return launch_units<uint16_t, Threads, Items / 4>(p, Persistent, stream);
}

template <int Threads, int Items>
static int launch_wide(const struct problem *p, void *stream)
{
    return (uintptr_t)p->out % sizeof(wide) == 0
               ? launch_units<wide, Threads, Items / 8>(p, false, stream)
               : launch<Threads, Items, false>(p, stream);
}

/* Items are 32-bit words, four a store; eight if wide. */
#define POINT(text, threads, items, persistent)                                \
    {                                                                          \
        .name = "write" text "_b" #threads "_i" #items,                        \
        .idea = "16-byte stores of a constant", .runs_on = DEVICE_CUDA,        \
        .ops = OPS(FORM_OF(OP_WRITE), DTYPES_ALL), .passes = 1,                \
        .error_growth = ERROR_NONE, .deterministic = true,                     \
        .launch = launch<threads, items, persistent>                           \
    }

#define WIDE(threads, items)                                                   \
    {                                                                          \
        .name = "write_wide_b" #threads "_i" #items,                           \
        .idea = "32-byte stores of a constant", .runs_on = DEVICE_CUDA,        \
        .ops = OPS(FORM_OF(OP_WRITE), DTYPES_ALL), .passes = 1,                \
        .error_growth = ERROR_NONE, .deterministic = true,                     \
        .refuses = wide_refuses, .launch = launch_wide<threads, items>         \
    }

VARIANTS(stream__write) = {
    POINT("", 128, 4, false),
    POINT("", 256, 16, false),
    POINT("", 1024, 4, false),
    POINT("_persistent", 512, 16, true),
    WIDE(256, 16),
    {},
};
