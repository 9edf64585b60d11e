/* SPDX-License-Identifier: MIT
 *
 * What tiles publish in a single-pass scan: a word of flag and value, written
 * and read whole, so that whoever sees the flag has the value and nothing else
 * need be ordered. For the files that look back.
 *
 * The flags must be cleared in every launch. Tagging each
 * flag with a launch number would avoid the clearing, but the workspace arrives
 * as garbage, which may hold any number, and does not belong to the variant
 * between launches. Waits have no
 * bound and no other way out: tiles are taken by ticket, so a tile that is
 * waited for has started, and waits for lower tickets only. No schedule can
 * hang that; the tests that cut the grid (--blocks) and the room (--room) show
 * it.
 */
#ifndef VARIANTS_COMMON_TILE_STATE_CUH
#define VARIANTS_COMMON_TILE_STATE_CUH

#include "variants/common/delays.cuh"
#include "variants/common/device.cuh"

/* What a tile has published: nothing, which is what a memset of 0 leaves; the
 * aggregate of its own elements; or the inclusive prefix up to its end. */
enum tile_flag : unsigned { TILE_NOTHING, TILE_AGGREGATE, TILE_PREFIX };

template <class Acc>
struct tile_state {
    uint64_t word;
};
template <>
struct alignas(16) tile_state<double> {
    uint64_t flag;
    double value;
};

/* The distance between the states of neighbouring tiles, in states. All tiles
 * under way read the same few of them, which must not lie in one slice of the
 * L2. */
template <class Acc>
constexpr int kStateStride = 128 / (int)sizeof(tile_state<Acc>);

inline size_t tile_state_bytes(enum dtype dtype)
{
    return dtype == DTYPE_F64 ? sizeof(tile_state<double>)
                              : sizeof(tile_state<float>);
}

__device__ __forceinline__ void publish(tile_state<float> *tile, tile_flag flag,
                                        float value)
{
    const uint64_t word = (uint64_t)flag << 32 | __float_as_uint(value);
    delay();
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(&tile->word),
                 "l"(word)
                 : "memory");
}

__device__ __forceinline__ unsigned peek(const tile_state<float> *tile,
                                         float *value)
{
    uint64_t word;
    delay();
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];"
                 : "=l"(word)
                 : "l"(&tile->word)
                 : "memory");
    *value = __uint_as_float((unsigned)word);
    return (unsigned)(word >> 32);
}

__device__ __forceinline__ void publish(tile_state<double> *tile,
                                        tile_flag flag, double value)
{
    delay();
    asm volatile("{\n\t.reg .b128 word;\n\t"
                 "mov.b128 word, {%1, %2};\n\t"
                 "st.relaxed.gpu.global.b128 [%0], word;\n\t}" ::"l"(tile),
                 "l"((uint64_t)flag), "l"(__double_as_longlong(value))
                 : "memory");
}

__device__ __forceinline__ unsigned peek(const tile_state<double> *tile,
                                         double *value)
{
    uint64_t flag, bits;
    delay();
    asm volatile("{\n\t.reg .b128 word;\n\t"
                 "ld.relaxed.gpu.global.b128 word, [%2];\n\t"
                 "mov.b128 {%0, %1}, word;\n\t}"
                 : "=l"(flag), "=l"(bits)
                 : "l"(tile)
                 : "memory");
    *value = __longlong_as_double(bits);
    return (unsigned)flag;
}

/* Reads a tile's state again until something is published; `flag` and *value
 * are what the last read found. */
template <class Acc>
__device__ __forceinline__ void await_published(const tile_state<Acc> *tile,
                                                unsigned flag, Acc *value)
{
    while (flag == TILE_NOTHING) {
        __nanosleep(20);
        flag = peek(tile, value);
    }
}

/* Bytes of the states of `tiles` tiles, of `columns` states each. */
inline size_t tile_states_bytes(int64_t tiles, int64_t columns,
                                enum dtype dtype)
{
    const int64_t bytes = columns * (int64_t)tile_state_bytes(dtype);
    return (size_t)(tiles * ((bytes + 127) / 128 * 128));
}

/* The ticket has the first bytes of the workspace to itself. */
constexpr size_t kTicketBytes = 256;

/* Tiles are taken by ticket: whatever order the blocks start in, all tiles
 * before this one are then done or resident, and publish their aggregates
 * without waiting for any (or for lower tickets only: staggered_start.cuh).
 * Every thread of the block calls it; `shared` is shared memory, and may be
 * used again after one more barrier. */
__device__ __forceinline__ int64_t take_ticket(unsigned long long *ticket,
                                               int64_t *shared)
{
    if (threadIdx.x == 0)
        *shared = (int64_t)atomicAdd(ticket, 1ull);
    __syncthreads();
    return *shared;
}

/* n / d of a ticket: the tile's loads wait for it, and a division of 64 bits
 * takes ten times as long as one of 32. */
__device__ __forceinline__ int64_t tile_divide(int64_t n, int64_t d)
{
    return n >> 32 || d >> 32 ? n / d : (unsigned)n / (unsigned)d;
}

#endif
