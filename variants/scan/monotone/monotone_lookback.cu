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

/* Returns the carry into this warp, inside its tile; shared memory has those
 * into the tile. */
template <class Op, class Arrangement>
__device__ __forceinline__ typename Op::acc
spine(Arrangement &mine, const struct line_tiling &t,
      tile_state<typename Op::acc> *states)
{
    using Acc = typename Op::acc;
    const struct tile_place &p = mine.p;
    Acc aggregate;
    const Acc warp = mine.warp_carry(&aggregate);
    tile_state<Acc> *state = states + p.number * kStateStride<Acc>;
    /* A line's last tile publishes nothing. */
    const bool publishes = threadIdx.x == 0 && p.step + 1 < t.line_tiles;
    const bool ends_group = p.step % kGroup == kGroup - 1;
    if (publishes && !ends_group)
        publish(state, TILE_AGGREGATE, aggregate);
    if (threadIdx.x < 32)
        group_carry<Op>(state, p.step, mine.sums);
    if (publishes && ends_group)
        publish(state, TILE_PREFIX,
                Op::combine(mine.sums.group,
                            Op::combine(mine.sums.tile, aggregate)));
    __syncthreads();
    return warp;
}

template <class T, class Scan, int Threads, int Vecs>
static __global__ void
__launch_bounds__(Threads, kSmBlocks<T, Scan::masked, Threads, Vecs>)
    monotone_lookback(const T *__restrict__ in,
                      const uint8_t *__restrict__ mask, T *__restrict__ out,
                      const struct line_tiling t, unsigned long long *ticket,
                      tile_state<acc_of<Scan, T>> *states)
{
    using Arrangement = ordered<T, Scan, Threads, Vecs, false>;
    using Op = typename Arrangement::Op;
    using Acc = typename Op::acc;
    using Mover = tile_mover<T, Scan::masked, Threads>;
    using Design = design<void, striped, kStaggered, true>; /* of the loads */
    constexpr int kTile = Arrangement::kTile;
    extern __shared__ uint4 shared_tile[];
    __shared__ typename Arrangement::shared sums;
    __shared__ typename Mover::shared loaded;
    __shared__ struct tile_place place;
    const tile_buffer<T> tile = { (T *)shared_tile,
                                  (uint8_t *)(shared_tile + Threads * Vecs) };
    Mover mover = { in, mask, tile, &loaded, 0 };
    if (threadIdx.x == 0) {
        mover.init();
        early_wait();
    }
    for (int64_t n = blockIdx.x; n < t.tiles; n += gridDim.x) {
        if (threadIdx.x == 0)
            place =
                begin_tile<Scan, Design,
                           kSmBlocks<T, Scan::masked, Threads, Vecs>, kTile>(
                    t, ticket, states, mover);
        __syncthreads();
        const struct tile_place &p = place;
        if constexpr (!Mover::alone)
            start_tile<Scan, Design, kTile>(t, p, mover);
        if (!p.inside)
            clear_outside<Op, kTile, kTile>(p, tile.x);
        mover.wait(p);

        Arrangement mine = { sums, tile, p };
        mine.upsweep({});
        const Acc warp = spine<Op>(mine, t, states);
        const Acc before_group = sums.group, before_tile = sums.tile;
        mine.downsweep(
            {}, warp,
            [&](Acc sum) {
                return Op::combine(before_group, Op::combine(before_tile, sum));
            },
            out);

        if (n + gridDim.x < t.tiles) {
            mover.release();
            __syncthreads(); /* the tile may be overwritten */
        }
    }
}

template <int Threads, int Items>
static int launch(const struct problem *p, void *stream)
{
    return dispatch_scan<NEEDS_ADDITION>(p, [&]<class T, class Scan>(tag<T>,
                                                                     Scan) {
        constexpr int kVecs =
            vectors_held<Threads, Items>(sizeof(T), Scan::masked);
        const auto kernel = monotone_lookback<T, Scan, Threads, kVecs>;
        const int bytes = kTileBytes<T, Scan::masked, Threads, kVecs>;
        const struct line_tiling t = tiling_of(p, Threads * kVecs);
        const int error = bulk_room(kernel, bytes);
        if (error != cudaSuccess)
            return error;
        return launch_cleared(p, p->workspace, look_back_bytes(p, t.line_tiles),
                              kernel, t.tiles, Threads, bytes, stream, p->in,
                              p->mask, p->out, t, p->workspace,
                              (char *)p->workspace + kTicketBytes);
    });
}

/* The longest chain of additions of a short line of halves is that line. */
#define POINT(suffix, tiles)                                                   \
    {                                                                          \
        .name = "monotone_lookback_" #suffix,                                  \
        .idea = "look-back whose sums never fall, as both sides of every "     \
                "boundary use the same additions",                             \
        .runs_on = DEVICE_CUDA, .ops = scans<NEEDS_ADDITION>(), .passes = 1,   \
        .error_growth = ERROR_TILED, .error_tile = 2, .deterministic = true,   \
        .refuses = single_pass_refuses<256, fitting_odd(tiles)>,               \
        .workspace_bytes = single_pass_workspace<256, fitting_odd(tiles)>,     \
        .launch = launch<256, fitting_odd(tiles)>, .monotone = true            \
    }

VARIANTS(scan__monotone_lookback) = {
    POINT(k36, 6),
    POINT(k72, 3),
    {},
};
