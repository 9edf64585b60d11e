/* SPDX-License-Identifier: MIT
 *
 * Lines in tiles that are taken by ticket, and the sum of all tiles before one
 * by looking back over them: for the files whose tiles lie in shared memory.
 */
#ifndef VARIANTS_COMMON_LOOK_BACK_CUH
#define VARIANTS_COMMON_LOOK_BACK_CUH

#include "variants/common/clear_early.cuh"
#include "variants/common/bulk_hints.cuh"
#include "variants/common/staggered_start.cuh"

/* Tiles that one lane looks at in one go: the round trip to where the words
 * lie is long, and a window that is narrower than the tiles which arrive
 * meanwhile never catches up. */
constexpr int kDepth = 2;

/* The sum of all that comes before tile number `step` of its line. A whole
 * warp looks: lane 0 at the nearest predecessor. */
template <class Acc>
__device__ __forceinline__ Acc look_back(const tile_state<Acc> *mine,
                                         int64_t step)
{
    const int lane = threadIdx.x % 32;
    Acc carry = 0;
    bool whole = false;
    for (int64_t behind = lane + 1; !whole; behind += 32 * kDepth) {
        Acc value[kDepth];
        unsigned flag[kDepth];
#pragma unroll
        for (int k = 0; k < kDepth; ++k) {
            flag[k] = TILE_PREFIX; /* before the line: 0 */
            value[k] = 0;
            if (behind + 32 * k <= step)
                flag[k] = peek(mine - (behind + 32 * k) * kStateStride<Acc>,
                               &value[k]);
        }
#pragma unroll
        for (int k = 0; k < kDepth; ++k) {
            unsigned prefixes, wanted;
            while (!whole) {
                prefixes = __ballot_sync(kWholeWarp, flag[k] == TILE_PREFIX);
                /* The lanes up to the nearest prefix; all, if there is none. */
                wanted = prefixes ^ (prefixes - 1);
                const bool waits =
                    flag[k] == TILE_NOTHING && (wanted >> lane & 1);
                if (!__any_sync(kWholeWarp, waits))
                    break;
                /* Only the lanes that miss something ask again: a thousand
                 * warps ask the same few words. */
                __nanosleep(20);
                if (waits)
                    flag[k] = peek(mine - (behind + 32 * k) * kStateStride<Acc>,
                                   &value[k]);
            }
            if (!whole && (wanted >> lane & 1))
                carry += value[k];
            whole = whole || prefixes;
        }
    }
#pragma unroll
    for (int apart = 16; apart > 0; apart /= 2)
        carry += __shfl_xor_sync(kWholeWarp, carry, apart);
    return carry;
}

/* ---------------------------------------------------------------- tiles */

struct tiling {
    int64_t lines, line_tiles, axis;
    int lead; /* elements from a grain's start to the tensor's first */
    bool aligned;
};

/* Which tile a ticket stands for. */
struct tile_place {
    int64_t number, step; /* in all, and of its line in walk order */
    int64_t first;        /* its first element; may be of the line before */
    struct stretch part;  /* of the line, in the tile */
    bool inside;          /* all of the tile is */
};

template <bool Reverse, int Tile>
__device__ __forceinline__ struct tile_place place_of(const struct tiling &t,
                                                      int64_t number)
{
    const int64_t line = tile_divide(number, t.line_tiles);
    struct tile_place p = { number, number - line * t.line_tiles };
    const int64_t tile = Reverse ? t.line_tiles - 1 - p.step : p.step;
    const int64_t begin = line * t.axis, end = begin + t.axis;
    p.first = grain_floor(begin, t.lead) + tile * Tile;
    p.part = stretch_of(begin < p.first ? p.first : begin,
                        end < p.first + Tile ? end : p.first + Tile, p.first,
                        t.lead, t.aligned);
    p.inside = p.part.bulk_end - p.part.bulk_begin == Tile;
    return p;
}

/* Before a tile is asked for: see start_in_turns.cuh. A line's last tile tells
 * nothing, and is not waited for. By one thread. */
template <int Blocks, class Acc>
__device__ __forceinline__ void start_in_turns(const tile_state<Acc> *states,
                                               const struct tiling &t,
                                               int64_t number)
{
    const int64_t other = starts_after<Blocks>(number, t.lines * t.line_tiles);
    if (other < 0)
        return;
    const int64_t step =
        other - tile_divide(other, t.line_tiles) * t.line_tiles;
    if (step + 1 < t.line_tiles)
        await_told(states + other * kStateStride<Acc>);
}

/* A problem's tiles of so many vectors. */
static inline struct tiling tiling_of(const struct problem *p, int tile_vecs)
{
    const int bytes = (int)dtype_bytes(p->dtype), vec = 16 / bytes;
    const int in_lead = (int)((uintptr_t)p->in % 16 / bytes);
    struct tiling t = { .lines = shape_lines(p->shape), .axis = p->shape.axis };
    t.lead = p->mask ? (int)((uintptr_t)p->mask % kGrain) : in_lead;
    t.aligned = (uintptr_t)p->in % 16 == (uintptr_t)p->out % 16 &&
                t.lead % vec == in_lead;
    /* Lines begin at any element of a grain, unless all begin at the same. */
    const int most = t.axis % kGrain ? kGrain - 1 : t.lead;
    t.line_tiles = ceil_div(t.axis + most, tile_vecs * vec);
    return t;
}

/* The ticket's bytes and the states'. A line of one tile needs no state. */
static inline size_t look_back_bytes(const struct problem *p,
                                     int64_t line_tiles)
{
    const int64_t tiles =
        line_tiles > 1 ? line_tiles * shape_lines(p->shape) : 0;
    return kTicketBytes + tile_states_bytes(tiles, 1, p->dtype);
}

/* As many as any pointers need: here they may be NULL. */
static inline size_t look_back_workspace(const struct problem *p, int tile_vecs)
{
    const int tile = tile_vecs * 16 / (int)dtype_bytes(p->dtype);
    return look_back_bytes(p, ceil_div(p->shape.axis + kGrain - 1, tile));
}

/* Below so many elements a line, and above so many lines, blocks would be busy
 * with tiles that hold next to nothing. */
constexpr int64_t kShortest = 1024;

static inline const char *look_back_refuses(const struct problem *p)
{
    if (p->shape.inner != 1)
        return "serves contiguous lines only (inner = 1)";
    if (p->shape.axis < kShortest && shape_lines(p->shape) > kShortest)
        return "a tile for each of many short lines would be idle; "
               "row_tile_lookback serves them";
    return bulk_lacking(p);
}

/* ----------------------------------------------------- bulk copies, hinted */

/* stretch_ask(), to be evicted from the L2 last: see words.cuh. */
template <bool Masked, class T>
__device__ __forceinline__ void
stretch_ask_kept(const struct stretch &s, const T *in, const uint8_t *mask,
                 T *x, uint8_t *m, uint64_t *barrier)
{
    const unsigned count = (unsigned)(s.bulk_end - s.bulk_begin);
    if (!count)
        return;
    const uint64_t policy = evict_last_policy();
    bulk_expect(barrier, count * (unsigned)(sizeof(T) + Masked));
    bulk_load_kept(x + (s.bulk_begin - s.origin), in + s.bulk_begin,
                   count * (unsigned)sizeof(T), barrier, policy);
    if (Masked)
        bulk_load_kept(m + (s.bulk_begin - s.origin), mask + s.bulk_begin,
                       count, barrier, policy);
}

/* ------------------------------------------------------------- launching */

/* Clears so many bytes of the workspace, then launches; the kernel waits for
 * that in early_wait(). */
template <class... Params, class... Args>
int look_back_launch(void (*kernel)(Params...), unsigned blocks, int threads,
                     int shared_bytes, const struct problem *p,
                     size_t clear_bytes, void *stream, Args... args)
{
    return launch_cleared(p, p->workspace, clear_bytes, kernel, blocks, threads,
                          shared_bytes, (cudaStream_t)stream, args...);
}

#endif
