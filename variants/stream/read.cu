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

    /* what does not fill a tile */
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
    const int64_t bytes = op_bytes(p->op, p->dtype, p->shape);
    const int64_t units = bytes / (int64_t)sizeof(Unit);
    int64_t blocks = units / (Threads * Loads);
    if (persistent) {
        int64_t wave = blocks_in_a_wave(p->device, Threads);
        if (wave > READ_SLOTS)
            wave = READ_SLOTS;
        if (blocks > wave)
            blocks = wave;
    } else {
        int error = cudaMemsetAsync(p->out, 0, READ_SLOTS * sizeof(uint32_t),
                                    (cudaStream_t)stream);
        if (error)
            return error;
    }
    read<Unit, Part, Threads, Loads>
        <<<grid_x(blocks ? blocks : 1), Threads, 0, (cudaStream_t)stream>>>(
            (const Unit *)p->in, (uint32_t *)p->out, units,
            (int)(bytes % (int64_t)sizeof(Unit) / (int64_t)sizeof(Part)),
            persistent);
    return cudaGetLastError();
}

template <class Part, int Threads, int Loads>
static int launch_parts(const struct problem *p, bool persistent, void *stream)
{
    if ((uintptr_t)p->in % 16 == 0)
        return launch_units<uint4, Part, Threads, Loads>(p, persistent, stream);
    return launch_units<Part, Part, Threads, Loads>(p, persistent, stream);
}

template <int Threads, int Items, bool Persistent>
static int launch(const struct problem *p, void *stream)
{
    if (dtype_bytes(p->dtype) == 1)
        return launch_parts<uint8_t, Threads, Items / 4>(p, Persistent, stream);
    return launch_parts<uint16_t, Threads, Items / 4>(p, Persistent, stream);
}

template <int Threads, int Items>
static int launch_wide(const struct problem *p, void *stream)
{
    return (uintptr_t)p->in % sizeof(wide) == 0 && dtype_bytes(p->dtype) > 1
               ? launch_units<wide, uint16_t, Threads, Items / 8>(p, false,
                                                                  stream)
               : launch<Threads, Items, false>(p, stream);
}

/* Items are 32-bit words, four a load; eight if wide. */
#define POINT(text, threads, items, persistent)                                \
    {                                                                          \
        .name = "read" text "_b" #threads "_i" #items,                         \
        .idea = "16-byte loads folded by exclusive or, one word a block",      \
        .runs_on = DEVICE_CUDA, .ops = OPS(FORM_OF(OP_READ), DTYPES_ALL),      \
        .passes = 1, .error_growth = ERROR_NONE, .deterministic = true,        \
        .launch = launch<threads, items, persistent>                           \
    }

#define WIDE(threads, items)                                                   \
    {                                                                          \
        .name = "read_wide_b" #threads "_i" #items,                            \
        .idea = "32-byte loads folded by exclusive or",                        \
        .runs_on = DEVICE_CUDA, .ops = OPS(FORM_OF(OP_READ), DTYPES_ALL),      \
        .passes = 1, .error_growth = ERROR_NONE, .deterministic = true,        \
        .refuses = wide_refuses, .launch = launch_wide<threads, items>         \
    }

VARIANTS(stream__read) = {
    POINT("", 128, 8, false),
    POINT("", 128, 16, false),
    POINT("", 256, 32, false),
    POINT("_persistent", 256, 8, true),
    POINT("_persistent", 256, 16, true),
    POINT("_persistent", 512, 32, true),
    WIDE(128, 16),
    {},
};
