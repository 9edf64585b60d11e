/* SPDX-License-Identifier: MIT
 *
 * Idea     A tile waits for the prefix of the tile before it, combines it with
 *          its own aggregate and publishes the result: a chain.
 * Against  decoupled_lookback: there a tile need not wait for its neighbour's
 *          prefix, since the aggregates before it will do. Here one word per
 *          tile passes from block to block through the L2, which bounds the
 *          time of a line from below. In return the order of combination is
 *          fixed, and every launch gives the same bits.
 * Traffic  2N elements and one word per tile (passes = 1).
 * Needs    inner == 1, and lines that are not both short and many.
 * Source   S. Yan, G. Long and Y. Zhang, "StreamScan: Fast Scan Algorithms for
 *          GPUs without Global Barrier Synchronization" (2013).
 * Lesson   The latency of one word from tile to tile sets the pace.
 */
#include "variants/scan/look_back/single_pass.cuh"

constexpr unsigned kNeeds = IS_LESSON;

/* Every tile but the last publishes its prefix, and nothing else. */
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
        .idea = "a block per tile waits for the tile before it",               \
        ON_CUDA(scans<kNeeds>(), 1), ERROR_OF_TILES(threads * items / 2),      \
        .deterministic = true,                                                 \
        SINGLE_PASS(threads, items, kNeeds, chain, striped)                    \
    }

VARIANTS(scan__chained_scan) = {
    POINT(256, 28),
    {},
};
