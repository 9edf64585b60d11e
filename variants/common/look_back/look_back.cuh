/* SPDX-License-Identifier: MIT
 *
 * Decoupled look-back over contiguous lines: how lines are cut into tiles, and
 * the carry into a tile from the states of the tiles before it. For designs
 * whose tiles lie in shared memory.
 */
#ifndef VARIANTS_COMMON_LOOK_BACK_LOOK_BACK_CUH
#define VARIANTS_COMMON_LOOK_BACK_LOOK_BACK_CUH

#include "variants/common/access/divisor.cuh"
#include "variants/common/launch/clear_early.cuh"
#include "variants/common/access/bulk_hints.cuh"
#include "variants/common/look_back/staggered_start.cuh"

/* Tiles that one lane reads at a time. The round trip to the states is long: a
 * window narrower than the number of tiles that arrive during it never catches
 * up. Tiles of elements narrower than their results, or of two inputs, are
 * shorter. */
template <class Op>
constexpr int kLookBackDepth =
    !kStoresElements<Op> || (kTwoInputs<Op> && sizeof(typename Op::acc) == 8)
        ? 4
        : 2;

/* Polls until all lanes up to the nearest prefix have their states; returns
 * these lanes, and in *found whether one has a prefix. Only lanes that miss a
 * state poll: a thousand warps read the same few words. */
template <class State, class Acc>
__device__ __forceinline__ unsigned
await_window(const State *tile, unsigned *flag, Acc *value, bool *found)
{
    const int lane = threadIdx.x % 32;
    for (;;) {
        const unsigned prefixes =
            __ballot_sync(kWholeWarp, *flag == TILE_PREFIX);
        /* The lanes up to the nearest prefix; all, if there is none. */
        const unsigned wanted = prefixes ^ (prefixes - 1);
        const bool waits = *flag == TILE_NOTHING && (wanted >> lane & 1);
        *found = prefixes != 0;
        if (!__any_sync(kWholeWarp, waits))
            return wanted;
        __nanosleep(20);
        if (waits)
            *flag = peek(tile, value);
    }
}

/* The reduction of lanes [0, n) in every lane, the last one first; bits n … of
 * `wanted` are 0. The identity in place of the other lanes would be multiplied
 * by infinities. */
template <class Op>
__device__ __forceinline__ typename Op::acc
nearest_reduce(typename Op::acc value, unsigned wanted)
{
    const int lane = threadIdx.x % 32;
#pragma unroll
    for (int far = 1; far < 32; far *= 2) {
        const auto earlier = shuffle_down(value, far);
        if (wanted >> lane >> far)
            value = Op::combine(earlier, value);
    }
    return shuffle_from(value, 0);
}

/* The carry into tile number `step` of its line, whose state is *mine: the
 * reduction of all tiles before it, in every lane. A whole warp calls it; lane
 * 0 reads the nearest tile, lane 31 the farthest. */
template <class Op>
__device__ __forceinline__ typename Op::acc
look_back(const tile_state<typename Op::acc> *mine, int64_t step)
{
    using Acc = typename Op::acc;
    constexpr int kDepth = kLookBackDepth<Op>;
    const int lane = threadIdx.x % 32;
    Acc carry = Op::identity();
    bool whole = false;
    for (int64_t behind = lane + 1; !whole; behind += 32 * kDepth) {
        const tile_state<Acc> *tile = mine - behind * kStateStride<Acc>;
        Acc value[kDepth];
        unsigned flag[kDepth];
#pragma unroll
        for (int k = 0; k < kDepth; ++k) {
            flag[k] = TILE_PREFIX; /* before the line: the identity */
            value[k] = Op::identity();
            if (behind + 32 * k <= step)
                flag[k] = peek(tile - 32 * k * kStateStride<Acc>, &value[k]);
        }
#pragma unroll
        for (int k = 0; k < kDepth; ++k) {
            if (whole)
                continue;
            const unsigned wanted = await_window(
                tile - 32 * k * kStateStride<Acc>, &flag[k], &value[k], &whole);
            if constexpr (Op::commutative) {
                if (wanted >> lane & 1)
                    carry = Op::combine(value[k], carry);
            } else {
                /* In order: the window first, then nearer tiles. */
                carry =
                    Op::combine(nearest_reduce<Op>(value[k], wanted), carry);
            }
        }
    }
    return Op::commutative ? warp_reduce<Op>(carry) : carry;
}

/* ---------------------------------------------------------------- tiles */

struct line_tiling {
    int64_t lines, line_tiles, axis;
    int64_t tiles; /* all lines': a parameter takes no register */
    struct divisor<uint64_t> by_line; /* line_tiles */
    struct alignment alignment;
};

/* The tile of a ticket. */
struct tile_place {
    int64_t number, step; /* among all, and in its line in walk order */
    int64_t first;        /* its first element; may be of the line before */
    struct span part;     /* the line's part of the tile */
    bool inside;          /* the part fills the tile */
};

template <bool Reverse, int Tile>
__device__ __forceinline__ struct tile_place
place_of(const struct line_tiling &t, int64_t number)
{
    uint64_t step;
    const int64_t line = (int64_t)t.by_line.quotient((uint64_t)number, &step);
    struct tile_place p = { number, (int64_t)step };
    const int64_t tile = Reverse ? t.line_tiles - 1 - p.step : p.step;
    const int64_t begin = line * t.axis, end = begin + t.axis;
    p.first = align_down(begin, t.alignment) + tile * Tile;
    p.part = span_of(begin < p.first ? p.first : begin,
                     end < p.first + Tile ? end : p.first + Tile, p.first,
                     t.alignment);
    p.inside = p.part.bulk_end - p.part.bulk_begin == Tile;
    return p;
}

/* Delays the request of a tile (staggered_start.cuh). A line's last tile
 * publishes nothing, and is not waited for. One thread calls it. */
template <int Blocks, class Acc>
__device__ __forceinline__ void staggered_start(const tile_state<Acc> *states,
                                                const struct line_tiling &t,
                                                int64_t number)
{
    const int64_t other = starts_after<Blocks>(number, t.tiles);
    if (other < 0)
        return;
    uint64_t step;
    t.by_line.quotient((uint64_t)other, &step);
    if ((int64_t)step + 1 < t.line_tiles)
        await_published(states + other * kStateStride<Acc>);
}

/* A problem in tiles of `tile_vecs` vectors. */
static inline struct line_tiling tiling_of(const struct problem *p,
                                           int tile_vecs)
{
    const int vec = 16 / out_elem_bytes(p);
    struct line_tiling t = { .lines = shape_lines(p->shape),
                             .axis = p->shape.axis,
                             .alignment = alignment_of(p) };
    /* Lines begin at any distance from a boundary, unless all begin at the
     * same. */
    const int most = t.axis % kAlignment ? kAlignment - 1 : t.alignment.lead;
    t.line_tiles = ceil_div(t.axis + most, tile_vecs * vec);
    t.tiles = t.lines * t.line_tiles;
    t.by_line = divisor_of<uint64_t>(t.line_tiles);
    return t;
}

/* The ticket's bytes and the states'. A line of one tile needs no state. */
static inline size_t look_back_bytes(const struct problem *p,
                                     int64_t line_tiles)
{
    const int64_t tiles =
        line_tiles > 1 ? line_tiles * shape_lines(p->shape) : 0;
    return kTicketBytes + tile_states_bytes(p, tiles, 1);
}

/* Enough for any pointers, which may be NULL here. */
static inline size_t look_back_workspace(const struct problem *p, int tile_vecs)
{
    const int tile = tile_vecs * 16 / out_elem_bytes(p);
    return look_back_bytes(p, ceil_div(p->shape.axis + kAlignment - 1, tile));
}

/* Launches a kernel whose blocks have `bytes` of shared memory and take tiles
 * by ticket, with the ticket and the states as its last arguments. `cleared`:
 * bytes of the workspace, from the ticket on. */
template <class... Params, class... Args>
int launch_tiles(const struct problem *p, size_t cleared,
                 void (*kernel)(Params...), int64_t blocks, int threads,
                 int bytes, void *stream, Args... args)
{
    const int error = bulk_room(kernel, bytes);
    return error != cudaSuccess
               ? error
               : launch_cleared(p, p->workspace, cleared, kernel, blocks,
                                threads, bytes, stream, args..., p->workspace,
                                (char *)p->workspace + kTicketBytes);
}

/* With shorter lines than this, and more of them, most tiles would be nearly
 * empty. */
constexpr int64_t kShortest = 1024;

static inline const char *look_back_refuses(const struct problem *p)
{
    if (p->shape.inner != 1)
        return "serves contiguous lines only (inner = 1)";
    if (p->shape.axis < kShortest && shape_lines(p->shape) > kShortest)
        return "a tile for each of many short lines would be idle; "
               "row_tile_lookback serves them";
    return NULL;
}

#endif
