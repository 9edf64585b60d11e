/* SPDX-License-Identifier: MIT
 *
 * Idea     Look-back whose sums never fall along a line of elements >= 0: what
 *          precedes a tile is the prefix of its group of tiles and, added
 *          inside it, the sum of the group's earlier tiles, one after another.
 *          A tile's end and the next tile's start are the same additions.
 * Against  deterministic_lookback, where every group, tile, warp and lane adds
 *          in a tree of its own, so that a carry may lie below the last result
 *          before it.
 * Traffic  2N elements and one word per tile (passes = 1).
 * Needs    inner == 1, and lines that are not both short and many.
 * Source   none.
 * Lesson   Monotonicity takes no comparison: rounded addition has it, if both
 *          sides of every boundary use the same additions.
 */
#include "variants/scan/monotone/ordered.cuh"

constexpr int kGroup = 64; /* tiles */
[[maybe_unused]] constexpr int kDepth = kGroup / 32;

/* Sums the states of the tiles before this one in its group, which are
 * published without waiting, and gets the group's prefix, which is not. A whole
 * warp calls it. */
template <class Op>
__device__ __forceinline__ void
group_carry(const tile_state<typename Op::acc> *mine, int64_t step,
            ordered_sums<typename Op::acc, 256> &to)
{
    using Acc = typename Op::acc;
    const int lane = threadIdx.x % 32, rank = (int)(step % kGroup);
    const tile_state<Acc> *group = mine - rank * kStateStride<Acc>;
    const tile_state<Acc> *theirs = group + lane * kStateStride<Acc>;
    const tile_state<Acc> *last = group - kStateStride<Acc>;
    unsigned flag[kDepth], start_flag = TILE_PREFIX;
    Acc total[kDepth], start = Op::identity(), sum = Op::identity();
    if (step >= kGroup)
        start_flag = peek(last, &start);
#pragma unroll
    for (int k = 0; k < kDepth; ++k) {
        flag[k] = TILE_AGGREGATE;
        total[k] = Op::identity();
        if (lane + 32 * k < rank)
            flag[k] = peek(theirs + 32 * k * kStateStride<Acc>, &total[k]);
    }
#pragma unroll
    for (int k = 0; k < kDepth; ++k) {
        await_published(theirs + 32 * k * kStateStride<Acc>, flag[k],
                        &total[k]);
        __syncwarp();
#pragma unroll
        for (int from = 0; from < 32; ++from)
            sum = Op::combine(sum, shuffle_from(total[k], from));
    }
    /* Last, so that a link of the chain is one wait and three additions. */
    await_published(last, start_flag, &start);
    to.group = start;
    to.tile = sum;
}

/* An arrangement of single_pass(), whose spine keeps the carry into this warp
 * inside its tile; shared memory has the tile's carries. */
template <class T, class Scan, int Threads, int Vecs>
struct ordered_tile : ordered<T, Scan, Threads, Vecs, false> {
    using Base = ordered<T, Scan, Threads, Vecs, false>;
    using typename Base::Acc;
    using typename Base::Op;
    Acc warp;

    __device__ __forceinline__ ordered_tile(typename Base::shared &sums,
                                            const tile_buffer<T> &tile,
                                            const struct tile_place &p)
        : Base{ sums, tile, p }
    {
    }
    __device__ __forceinline__ void upsweep(void)
    {
        Base::upsweep({});
    }
    template <class>
    __device__ __forceinline__ void spine(const struct line_tiling &t,
                                          tile_state<Acc> *states)
    {
        const struct tile_place &p = this->p;
        auto &sums = this->sums;
        Acc aggregate;
        warp = this->warp_carry(&aggregate);
        tile_state<Acc> *state = states + p.number * kStateStride<Acc>;
        /* A line's last tile publishes nothing. */
        const bool publishes = threadIdx.x == 0 && p.step + 1 < t.line_tiles;
        const bool ends_group = p.step % kGroup == kGroup - 1;
        if (publishes && !ends_group)
            publish(state, TILE_AGGREGATE, aggregate);
        if (threadIdx.x < 32)
            group_carry<Op>(state, p.step, sums);
        if (publishes && ends_group)
            publish(state, TILE_PREFIX,
                    Op::combine(sums.group, Op::combine(sums.tile, aggregate)));
        __syncthreads();
    }
    __device__ __forceinline__ void downsweep(T *out)
    {
        const Acc before_group = this->sums.group,
                  before_tile = this->sums.tile;
        Base::downsweep(
            {}, warp,
            [&](Acc sum) {
                return Op::combine(before_group, Op::combine(before_tile, sum));
            },
            out);
    }
};

/* The longest chain of additions of a short line of halves is that line. */
#define POINT(suffix, tiles)                                                   \
    {                                                                          \
        .name = "monotone_lookback_" #suffix,                                  \
        .idea = "look-back whose sums never fall, as both sides of every "     \
                "boundary use the same additions",                             \
        ON_CUDA(scans<NEEDS_ADDITION>(), 1), ERROR_OF_TILES(2),                \
        .deterministic = true,                                                 \
        SINGLE_PASS(256, fitting_odd(tiles), NEEDS_ADDITION, void,             \
                    ordered_tile, kStaggered, true),                           \
        .monotone = true                                                       \
    }

VARIANTS(scan__monotone_lookback) = {
    POINT(k36, 6),
    POINT(k72, 3),
    {},
};
