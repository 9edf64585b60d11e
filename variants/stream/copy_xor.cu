/* SPDX-License-Identifier: MIT
 *
 * Idea     16-byte loads of two inputs, all of a thread's loads before its
 *          stores of their exclusive or. Tiles in memory order, or one wave of
 *          persistent blocks that strides on.
 * Against  copy: a second stream to read.
 * Traffic  3N elements: the compulsory minimum (passes = 1).
 * Needs    nothing; falls back to accesses of two bytes, or one, off 16-byte
 *          boundaries.
 * Source   none.
 * Lesson   An exclusive or depends on every bit of both inputs: no load can be
 *          left out.
 */
#include "variants/common/access/wide.cuh"

static __device__ __forceinline__ uint4 both(uint4 a, uint4 b)
{
    return { a.x ^ b.x, a.y ^ b.y, a.z ^ b.z, a.w ^ b.w };
}

template <class Unit>
__device__ __forceinline__ Unit both(Unit a, Unit b)
{
    return (Unit)(a ^ b);
}

/* Whole Units, and `tail` more bytes that do not fill one. */
template <class Unit, int Threads, int Loads>
static __global__ void __launch_bounds__(Threads)
    copy_xor(const Unit *__restrict__ in, const Unit *__restrict__ in2,
             Unit *__restrict__ out, int64_t units, int tail)
{
    TAG(fast, std::is_same_v<Unit, uint4>);
    constexpr int kTile = Threads * Loads;
    const int64_t tiles = units / kTile;
    for (int64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        const int64_t at = tile * kTile + threadIdx.x;
        Unit x[Loads], y[Loads];
#pragma unroll
        for (int j = 0; j < Loads; ++j) {
            x[j] = in[at + j * Threads];
            y[j] = in2[at + j * Threads];
        }
#pragma unroll
        for (int j = 0; j < Loads; ++j)
            out[at + j * Threads] = both(x[j], y[j]);
    }
    for (int64_t at =
             tiles * kTile + blockIdx.x * (int64_t)Threads + threadIdx.x;
         at < units; at += gridDim.x * (int64_t)Threads)
        out[at] = both(in[at], in2[at]);
    if (blockIdx.x == 0 && (int)threadIdx.x < tail) {
        const int64_t at = units * (int64_t)sizeof(Unit) + threadIdx.x;
        ((uint8_t *)out)[at] =
            ((const uint8_t *)in)[at] ^ ((const uint8_t *)in2)[at];
    }
}

template <int Threads, int Items, enum unit_walk Walk>
static int launch(const struct problem *p, void *stream)
{
    const int64_t bytes = op_out_bytes(p->op, p->dtype, p->shape);
    const uintptr_t places =
        (uintptr_t)p->in | (uintptr_t)p->in2 | (uintptr_t)p->out;
    return with_unit<Walk>(places, [&]<class Unit>(tag<Unit>) {
        constexpr int kLoads = kUnitLoads<Unit, Items>;
        const struct unit_grid g =
            unit_grid_of<Unit>(p, bytes, Threads, kLoads, Walk == PERSISTENT);
        return launch_kernel(copy_xor<Unit, Threads, kLoads>, g.blocks, Threads,
                             0, stream, p->in, p->in2, p->out, g.units, g.tail);
    });
}

/* Items are 32-bit words of each input, four a load. */
#define POINT(text, threads, items, walk)                                      \
    {                                                                          \
        .name = "copy_xor" text "_b" #threads "_i" #items,                     \
        .idea = "16-byte loads of both inputs, several in flight per thread",  \
        MOVES_ON_CUDA(FORM_OF(OP_COPY_XOR), DTYPES_ALL),                       \
        .deterministic = true, .launch = launch<threads, items, walk>          \
    }

VARIANTS(stream__copy_xor) = {
    POINT("", 128, 4, EACH_TILE),
    POINT("", 256, 4, EACH_TILE),
    POINT("", 128, 8, EACH_TILE),
    POINT("", 256, 8, EACH_TILE),
    POINT("_persistent", 512, 8, PERSISTENT),
    {},
};
