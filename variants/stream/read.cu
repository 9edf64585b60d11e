/* SPDX-License-Identifier: MIT
 *
 * Idea     16-byte loads, several in flight per thread, folded by exclusive or:
 *          nothing is written but a word per block. Either blocks take tiles
 *          in memory order and fold into shared slots by atomics, or one wave
 *          of persistent blocks strides on, each with a slot of its own; wide
 *          points have 32-byte loads (compute capability 10.0).
 * Against  copy: the stores are gone.
 * Traffic  N elements: the compulsory minimum (passes = 1).
 * Needs    nothing; falls back to 2-byte loads off 16-byte boundaries.
 * Source   none.
 * Lesson   Reading is faster than copying: the DRAM need not switch between
 *          reads and writes.
 */
#include "variants/common/access/wide.cuh"
#include "variants/common/kernel.cuh"

/* A unit's part in the exclusive or of the array's 32-bit words. */
__device__ __forceinline__ uint32_t fold(uint4 v, int64_t)
{
    return v.x ^ v.y ^ v.z ^ v.w;
}

__device__ __forceinline__ uint32_t fold(const wide &v, int64_t at)
{
    return fold(v.a, at) ^ fold(v.b, at);
}

__device__ __forceinline__ uint32_t fold(uint16_t v, int64_t at)
{
    return (uint32_t)v << (at % 2 ? 16 : 0);
}

__device__ __forceinline__ uint32_t fold(uint8_t v, int64_t at)
{
    return (uint32_t)v << 8 * (at % 4);
}

/* Folds whole Units, and `tail` Parts that do not fill one. */
template <class Unit, class Part, int Threads, int Loads>
static __global__ void __launch_bounds__(Threads)
    read(const Unit *__restrict__ in, uint32_t *__restrict__ slots,
         int64_t units, int tail, bool own_slot)
{
    TAG(fast, std::is_same_v<Unit, uint4>);
    constexpr int kTile = Threads * Loads;
    __shared__ uint32_t words[Threads / 32];
    const int64_t tiles = units / kTile;
    uint32_t word = 0;

    for (int64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        const int64_t at = tile * kTile + threadIdx.x;
        Unit v[Loads];
#pragma unroll
        for (int j = 0; j < Loads; ++j)
            v[j] = load_unit(in + at + j * Threads);
#pragma unroll
        for (int j = 0; j < Loads; ++j)
            word ^= fold(v[j], at + j * Threads);
    }

    /* the partial tile */
    if (blockIdx.x == gridDim.x - 1) {
        for (int64_t at = tiles * kTile + threadIdx.x; at < units;
             at += Threads)
            word ^= fold(in[at], at);
        if (threadIdx.x < tail)
            word ^=
                fold(((const Part *)(in + units))[threadIdx.x], threadIdx.x);
    }

    /* the block's word */
#pragma unroll
    for (int step = 16; step > 0; step /= 2)
        word ^= __shfl_xor_sync(kWholeWarp, word, step);
    if (threadIdx.x % 32 == 0)
        words[threadIdx.x / 32] = word;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int warp = 1; warp < Threads / 32; ++warp)
            word ^= words[warp];
        if (own_slot)
            slots[blockIdx.x] = word;
        else
            atomicXor(&slots[blockIdx.x % READ_SLOTS], word);
    }
    if (own_slot && blockIdx.x == 0)
        for (int slot = gridDim.x + threadIdx.x; slot < READ_SLOTS;
             slot += Threads)
            slots[slot] = 0;
}

template <class Unit, class Part, int Threads, int Loads>
static int launch_units(const struct problem *p, bool persistent, void *stream)
{
    struct unit_grid g = unit_grid_of<Unit>(
        p, op_bytes(p->op, p->dtype, p->shape), Threads, Loads, persistent);
    if (persistent && g.blocks > READ_SLOTS)
        g.blocks = READ_SLOTS;
    const int error =
        persistent ? cudaSuccess
                   : cudaMemsetAsync(p->out, 0, READ_SLOTS * sizeof(uint32_t),
                                     (cudaStream_t)stream);
    if (error)
        return error;
    return launch_kernel(read<Unit, Part, Threads, Loads>, g.blocks, Threads, 0,
                         stream, p->in, p->out, g.units,
                         g.tail / (int)sizeof(Part), persistent);
}

template <int Threads, int Items, enum unit_walk Walk>
static int launch(const struct problem *p, void *stream)
{
    const auto with = [&]<class Unit, class Part>(tag<Unit>, tag<Part>) {
        return launch_units<Unit, Part, Threads, kUnitLoads<Unit, Items>>(
            p, Walk == PERSISTENT, stream);
    };
    const uintptr_t at = (uintptr_t)p->in;
    const tag<uint8_t> byte;
    const tag<uint16_t> half;
    if (dtype_bytes(p->dtype) == 1)
        return at % 16 == 0 ? with(tag<uint4>{}, byte) : with(byte, byte);
    if constexpr (Walk == WIDE)
        if (at % sizeof(wide) == 0)
            return with(tag<wide>{}, half);
    return at % 16 == 0 ? with(tag<uint4>{}, half) : with(half, half);
}

/* Items are 32-bit words, four a load; eight if wide. */
#define POINT(text, idea_, threads, items, walk)                               \
    {                                                                          \
        .name = "read" text "_b" #threads "_i" #items, .idea = idea_,          \
        MOVES_ON_CUDA(FORM_OF(OP_READ), DTYPES_ALL), .deterministic = true,    \
        .refuses = walk == WIDE ? wide_refuses : NULL,                         \
        .launch = launch<threads, items, walk>                                 \
    }
#define NARROW "16-byte loads folded by exclusive or, one word per block"

VARIANTS(stream__read) = {
    POINT("", NARROW, 128, 8, EACH_TILE),
    POINT("", NARROW, 128, 16, EACH_TILE),
    POINT("", NARROW, 256, 32, EACH_TILE),
    POINT("_persistent", NARROW, 256, 8, PERSISTENT),
    POINT("_persistent", NARROW, 256, 16, PERSISTENT),
    POINT("_persistent", NARROW, 512, 32, PERSISTENT),
    POINT("_wide", "32-byte loads folded by exclusive or", 128, 16, WIDE),
    {},
};
