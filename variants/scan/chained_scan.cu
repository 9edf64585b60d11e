/* SPDX-License-Identifier: MIT
 *
 * Idea     A tile waits for the tile before it, adds its own total and passes
 *          the sum on: a chain, and all that an order of tiles needs.
 * Against  decoupled_lookback: there a tile need not wait for its neighbour's
 *          carry, as its neighbour's total and those before do, too. Here one
 *          word goes from block to block, through the L2, per tile: a line
 *          is never done sooner than that. In return its sums are added in one
 *          order, and every launch gives the same bits.
 * Traffic  2N elements and one word per tile (passes = 1).
 * Needs    inner == 1, and lines that are not both short and many.
 * Source   S. Yan, G. Long and Y. Zhang, "StreamScan: Fast Scan Algorithms for
 *          GPUs without Global Barrier Synchronization" (2013).
 * Lesson   A word handed from tile to tile sets the pace: the limit is the
 *          delay of each link.
 */
#include "variants/scan/single_pass.cuh"

/* Every tile but the last publishes a prefix, and nothing else. */
struct chain {
    template <class Acc>
    static __device__ __forceinline__ void
    publish_aggregate(tile_state<Acc> *state, int64_t step, Acc aggregate)
    {
        if (step == 0)
            publish(state, TILE_PREFIX, aggregate);
    }

    template <class Op>
    static __device__ __forceinline__ typename Op::acc
    carry(const tile_state<typename Op::acc> *mine, int64_t)
    {
        using Acc = typename Op::acc;
        const tile_state<Acc> *neighbour = mine - kStateStride<Acc>;
        Acc prefix;
        const unsigned flag = peek(neighbour, &prefix);
        await_published(neighbour, flag, &prefix);
        return prefix;
    }

    template <class Acc>
    static __device__ __forceinline__ void
    publish_prefix(tile_state<Acc> *state, int64_t, Acc prefix)
    {
        publish(state, TILE_PREFIX, prefix);
    }
};

/* A tile of doubles is half as long, and the bound must hold for it too. */
#define POINT(threads, items)                                                  \
    {                                                                          \
        .name = "chained_scan_b" #threads "_i" #items,                         \
        .idea = "a block a tile, which waits for the tile before it",          \
        .runs_on = DEVICE_CUDA, .ops = OPS_SCAN, .dtypes = DTYPES_ALL,         \
        .passes = 1, .error_growth = ERROR_TILED,                              \
        .error_tile = threads * items / 2, .deterministic = true,              \
        .refuses = single_pass_refuses<threads, items>,                        \
        .workspace_bytes = single_pass_workspace<threads, items>,              \
        .launch = single_pass_launch<design<chain, striped>, threads, items>   \
    }

VARIANTS(scan__chained_scan) = {
    POINT(256, 64),
    POINT(256, 28),
    {},
};
