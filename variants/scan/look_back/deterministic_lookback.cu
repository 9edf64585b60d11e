/* SPDX-License-Identifier: MIT
 *
 * Idea     Look-back in a fixed order: tiles form groups of g. A tile combines
 *          the aggregates of its group's earlier tiles, in a fixed tree, with
 *          the prefix of the group before; the group's last tile publishes
 *          the next prefix. Every launch gives the same bits.
 * Against  decoupled_lookback: there a tile starts at the nearest prefix that
 *          has been published, so bits depend on timing; and chained_scan:
 *          here the chain has one link per group, not per tile.
 * Traffic  2N elements and one word per tile (passes = 1).
 * Needs    inner == 1, and lines that are not both short and many.
 * Source   none.
 * Lesson   A fixed order of additions lengthens the chain, but costs no
 *          bandwidth while links are few.
 */
#include "variants/scan/look_back/single_pass.cuh"

/* A group's last tile publishes a prefix, all others their aggregates. A lane
 * reads Depth of these. */
template <int Depth>
struct groups {
    static constexpr int kGroup = 32 * Depth;

    template <class Acc>
    static __device__ __forceinline__ void
    publish_aggregate(tile_state<Acc> *state, int64_t step, Acc aggregate)
    {
        if (step % kGroup != kGroup - 1)
            publish(state, TILE_AGGREGATE, aggregate);
    }

    template <class Op>
    static __device__ __forceinline__ typename Op::acc
    carry(const tile_state<typename Op::acc> *mine, int64_t step)
    {
        using Acc = typename Op::acc;
        const int rank = (int)(step % kGroup); /* in the group */
        const tile_state<Acc> *group = mine - rank * kStateStride<Acc>;
        const tile_state<Acc> *last = group - kStateStride<Acc>;
        const tile_state<Acc> *theirs =
            group + threadIdx.x % 32 * kStateStride<Acc>;

        /* All states are read once before the first wait. */
        unsigned flag[Depth], start_flag = TILE_PREFIX;
        Acc total[Depth], sum = Op::identity();
        Acc start = Op::identity();
        if (step >= kGroup)
            start_flag = peek(last, &start);
#pragma unroll
        for (int k = 0; k < Depth; ++k) {
            flag[k] = TILE_AGGREGATE;
            total[k] = Op::identity();
            if ((int)threadIdx.x % 32 + 32 * k < rank)
                flag[k] = peek(theirs + 32 * k * kStateStride<Acc>, &total[k]);
        }
#pragma unroll
        for (int k = 0; k < Depth; ++k) {
            await_published(theirs + 32 * k * kStateStride<Acc>, flag[k],
                            &total[k]);
            if constexpr (Op::commutative)
                sum = Op::combine(sum, total[k]);
            else
                sum = Op::combine(sum, warp_reduce<Op>(total[k]));
        }
        __syncwarp();
        if constexpr (Op::commutative)
            sum = warp_reduce<Op>(sum);
        /* Last, so that a link of the chain is one wait and one combine(). */
        await_published(last, start_flag, &start);
        return Op::combine(start, sum);
    }

    template <class Acc>
    static __device__ __forceinline__ void
    publish_prefix(tile_state<Acc> *state, int64_t step, Acc prefix)
    {
        if (step % kGroup == kGroup - 1)
            publish(state, TILE_PREFIX, prefix);
    }
};

/* A tile of doubles is half as long, and the bound must hold for it too. */
#define POINT(threads, items, group)                                           \
    {                                                                          \
        .name = "deterministic_lookback_b" #threads "_i" #items "_g" #group,   \
        .idea = "look-back that adds in one order, whatever the timing",       \
        ON_CUDA(scans(), 1), ERROR_OF_TILES(threads * items / 2),              \
        .deterministic = true,                                                 \
        SINGLE_PASS(threads, items, NEEDS_NOTHING, groups<group / 32>,         \
                    striped)                                                   \
    }

VARIANTS(scan__deterministic_lookback) = {
    POINT(256, 64, 64),
    POINT(256, 28, 64),
    {},
};
