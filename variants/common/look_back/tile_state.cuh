/* SPDX-License-Identifier: MIT
 *
 * Tile states, which the tiles of a single-pass scan publish for each other.
 *
 * Every launch clears the flags. Tagging them with a launch number would avoid
 * that, but the workspace arrives with arbitrary contents, and does not belong
 * to the variant between launches.
 *
 * Forward progress: polling loops have no bound. Tiles are taken by ticket, so
 * a tile that is waited for has started, and waits for lower tickets only; no
 * schedule can deadlock. The tests that limit the grid (--blocks) and the
 * resident blocks (--room) exercise this.
 */
#ifndef VARIANTS_COMMON_LOOK_BACK_TILE_STATE_CUH
#define VARIANTS_COMMON_LOOK_BACK_TILE_STATE_CUH

#include "variants/common/kernel.cuh"
#include "variants/common/launch/delays.cuh"

/* The state of publication: nothing (zero bits, as after a memset); the
 * aggregate of its own elements; or the inclusive prefix up to its end. */
enum tile_flag : unsigned { TILE_NOTHING, TILE_AGGREGATE, TILE_PREFIX };

/* The state of a tile: one word that is read and written whole where flag and
 * acc fit in 16 bytes, so that a flag read implies its value and no order is
 * needed; above, an acc that a flag released and acquired guards. Source: CUB's
 * ScanTileState, which splits in the same way. */
template <class Acc, int Bytes = (sizeof(Acc) <= 4   ? 8
                                  : sizeof(Acc) <= 8 ? 16
                                                     : 0)>
struct tile_state;
template <class Acc>
struct tile_state<Acc, 8> {
    uint64_t word;
};
template <class Acc>
struct alignas(16) tile_state<Acc, 16> {
    uint64_t flag;
    uint64_t bits;
};
/* A tile publishes an aggregate, then a prefix, and a reader may be between
 * the two: each has its own room. */
template <class Acc>
struct alignas(16) tile_state<Acc, 0> {
    unsigned flag;
    Acc value[2];
};

/* The distance between the states of neighbouring tiles, in states: 128 bytes,
 * but at least one. Blocks poll neighbouring states, which should not share a
 * slice of the L2. */
template <class Acc>
constexpr int kStateStride = sizeof(tile_state<Acc>) < 128
                                 ? 128 / (int)sizeof(tile_state<Acc>)
                                 : 1;

template <class Acc>
__device__ __forceinline__ void publish(tile_state<Acc, 8> *tile,
                                        tile_flag flag, Acc value)
{
    const uint64_t word =
        (uint64_t)flag << 32 | __builtin_bit_cast(uint32_t, value);
    delay();
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(&tile->word),
                 "l"(word)
                 : "memory");
}

template <class Acc>
__device__ __forceinline__ unsigned peek(const tile_state<Acc, 8> *tile,
                                         Acc *value)
{
    uint64_t word;
    delay();
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];"
                 : "=l"(word)
                 : "l"(&tile->word)
                 : "memory");
    *value = __builtin_bit_cast(Acc, (uint32_t)word);
    return (unsigned)(word >> 32);
}

template <class Acc>
__device__ __forceinline__ void publish(tile_state<Acc, 16> *tile,
                                        tile_flag flag, Acc value)
{
    delay();
    asm volatile("{\n\t.reg .b128 word;\n\t"
                 "mov.b128 word, {%1, %2};\n\t"
                 "st.relaxed.gpu.global.b128 [%0], word;\n\t}" ::"l"(tile),
                 "l"((uint64_t)flag), "l"(__builtin_bit_cast(uint64_t, value))
                 : "memory");
}

template <class Acc>
__device__ __forceinline__ unsigned peek(const tile_state<Acc, 16> *tile,
                                         Acc *value)
{
    uint64_t flag, bits;
    delay();
    asm volatile("{\n\t.reg .b128 word;\n\t"
                 "ld.relaxed.gpu.global.b128 word, [%2];\n\t"
                 "mov.b128 {%0, %1}, word;\n\t}"
                 : "=l"(flag), "=l"(bits)
                 : "l"(tile)
                 : "memory");
    *value = __builtin_bit_cast(Acc, bits);
    return (unsigned)flag;
}

template <class Acc>
__device__ __forceinline__ void publish(tile_state<Acc, 0> *tile,
                                        tile_flag flag, Acc value)
{
    tile->value[flag == TILE_PREFIX] = value;
    delay();
    asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(&tile->flag),
                 "r"((unsigned)flag)
                 : "memory");
}

template <class Acc>
__device__ __forceinline__ unsigned peek(const tile_state<Acc, 0> *tile,
                                         Acc *value)
{
    unsigned flag;
    delay();
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];"
                 : "=r"(flag)
                 : "l"(&tile->flag)
                 : "memory");
    if (flag != TILE_NOTHING)
        *value = tile->value[flag == TILE_PREFIX];
    return flag;
}

/* Polls a tile's state until something is published; `flag` and *value come
 * from the last read. */
template <class Acc>
__device__ __forceinline__ void await_published(const tile_state<Acc> *tile,
                                                unsigned flag, Acc *value)
{
    while (flag == TILE_NOTHING) {
        __nanosleep(20);
        flag = peek(tile, value);
    }
}

/* States from one tile's first to the next tile's, if each has `columns`. */
template <class Acc>
__host__ __device__ constexpr int tile_stride(int columns)
{
    constexpr int kApart = kStateStride<Acc>;
    return (columns + kApart - 1) / kApart * kApart;
}

/* Bytes of the states of `tiles` tiles, of `columns` states each. */
inline size_t tile_states_bytes(const struct problem *p, int64_t tiles,
                                int columns)
{
    return bytes_for(p, [&]<class Op>(Op) {
        using Acc = typename Op::acc;
        return tiles * tile_stride<Acc>(columns) * sizeof(tile_state<Acc>);
    });
}

/* The ticket occupies the first bytes of the workspace, alone. */
constexpr size_t kTicketBytes = 256;

/* Takes the next tile. Whatever order blocks start in, all tiles before it are
 * done or resident, and publish their aggregates without waiting (or wait for
 * lower tickets only: staggered_start.cuh). Every thread of the block calls it;
 * `shared` is shared memory, and may be written again after one more
 * barrier. */
__device__ __forceinline__ int64_t take_ticket(unsigned long long *ticket,
                                               int64_t *shared)
{
    if (threadIdx.x == 0)
        *shared = (int64_t)atomicAdd(ticket, 1ull);
    __syncthreads();
    return *shared;
}

#endif
