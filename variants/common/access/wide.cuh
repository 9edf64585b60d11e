/* SPDX-License-Identifier: MIT
 *
 * 32-byte accesses, which exist from compute capability 10.0 on: points that
 * have them refuse older devices. A unit is moved by one access: a wide or
 * anything narrower.
 */
#ifndef VARIANTS_COMMON_ACCESS_WIDE_CUH
#define VARIANTS_COMMON_ACCESS_WIDE_CUH

#include "variants/common/launch/built_for.h"
#include "variants/common/access/vector.cuh"
#include "variants/common/launch/dispatch.cuh"

struct alignas(32) wide {
    uint4 a, b;
};

/* A Unit of a wide's size moves as one. */
template <class Unit>
__device__ __forceinline__ Unit load_unit(const Unit *from)
{
#if HAS_WIDE_ACCESS
    if constexpr (sizeof(Unit) == sizeof(wide)) {
        wide x;
        asm volatile(
            "ld.global.nc.v8.b32 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8];"
            : "=r"(x.a.x), "=r"(x.a.y), "=r"(x.a.z), "=r"(x.a.w), "=r"(x.b.x),
              "=r"(x.b.y), "=r"(x.b.z), "=r"(x.b.w)
            : "l"(from));
        return __builtin_bit_cast(Unit, x);
    }
#endif
    return *from;
}
template <class Unit>
__device__ __forceinline__ void store_unit(Unit *to, const Unit &unit)
{
#if HAS_WIDE_ACCESS
    if constexpr (sizeof(Unit) == sizeof(wide)) {
        const auto x = __builtin_bit_cast(wide, unit);
        asm volatile(
            "st.global.v8.b32 [%0], {%1, %2, %3, %4, %5, %6, %7, %8};" ::"l"(
                to),
            "r"(x.a.x), "r"(x.a.y), "r"(x.a.z), "r"(x.a.w), "r"(x.b.x),
            "r"(x.b.y), "r"(x.b.z), "r"(x.b.w)
            : "memory");
        return;
    }
#endif
    *to = unit;
}

/* Copies whole Units, and `tail` more bytes that do not fill one. */
template <int Threads, int Loads, class Unit>
__device__ __forceinline__ void copy_units(const Unit *__restrict__ in,
                                           Unit *__restrict__ out,
                                           int64_t units, int tail)
{
    constexpr int kTile = Threads * Loads;
    const int64_t tiles = units / kTile;
    for (int64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        const int64_t at = tile * kTile + threadIdx.x;
        Unit v[Loads];
#pragma unroll
        for (int j = 0; j < Loads; ++j)
            v[j] = load_unit(in + at + j * Threads);
#pragma unroll
        for (int j = 0; j < Loads; ++j)
            store_unit(out + at + j * Threads, v[j]);
    }

    /* the partial tile */
    if (blockIdx.x != gridDim.x - 1)
        return;
    for (int64_t at = tiles * kTile + threadIdx.x; at < units; at += Threads)
        out[at] = in[at];
    if (threadIdx.x < tail)
        ((uint8_t *)(out + units))[threadIdx.x] =
            ((const uint8_t *)(in + units))[threadIdx.x];
}

/* The points of a kernel: a block for each tile, one wave of blocks that
 * strides on, or wide accesses. */
enum unit_walk { EACH_TILE, PERSISTENT, WIDE };

/* Accesses of a Unit that move Items 32-bit words. */
template <class Unit, int Items>
constexpr int kUnitLoads = Items / (std::is_same_v<Unit, wide> ? 8 : 4);

/* An array of `bytes` bytes as tiles of threads * loads units, and `tail` bytes
 * that do not fill a unit. */
struct unit_grid {
    int64_t units, blocks;
    int tail;
};
template <class Unit>
struct unit_grid unit_grid_of(const struct problem *p, int64_t bytes,
                              int threads, int loads, bool persistent)
{
    const int64_t units = bytes / (int64_t)sizeof(Unit);
    const int64_t wave = blocks_in_a_wave(p->device, threads);
    int64_t blocks = units / (threads * loads);
    if (persistent && blocks > wave)
        blocks = wave;
    return { units, blocks ? blocks : 1, (int)(bytes % (int64_t)sizeof(Unit)) };
}

/* Calls run(tag<Unit>{}) with the widest unit on whose boundaries all arrays
 * begin; `places` is the or of their addresses. */
template <enum unit_walk Walk, class Run>
int with_unit(uintptr_t places, Run run)
{
    if constexpr (Walk == WIDE)
        if (places % sizeof(wide) == 0)
            return run(tag<wide>{});
    return places % 16 == 0 ? run(tag<uint4>{})
           : places % 2     ? run(tag<uint8_t>{})
                            : run(tag<uint16_t>{});
}

static inline const char *wide_refuses(const struct problem *p)
{
    if (!HAS_WIDE_ACCESS)
        return "32-byte accesses need nvcc 12.9 or newer";
    return built_for(p, 100) ? NULL
                             : "32-byte accesses need compute capability 10.0, "
                               "and a build for it";
}

#endif
