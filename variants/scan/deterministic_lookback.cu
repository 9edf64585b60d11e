/* SPDX-License-Identifier: MIT
 *
 * Idea     Look-back in one order, whatever the timing: tiles stand in groups
 *          of g; a tile adds the totals of its group's earlier tiles, as a
 *          fixed tree, to what comes before the group; and the group's last
 *          tile passes that on to the next. Every launch gives the same bits.
 * Against  decoupled_lookback: there a tile adds from the nearest prefix that
 *          it happens to meet, and bits depend on who was first; and
 *          chained_scan: the chain has a link a group here, not a tile.
 * Traffic  2N elements and a word a tile (passes = 1).
 * Needs    inner == 1, and lines that are not both short and many; bulk
 *          copies (compute capability 9.0).
 * Source   none.
 * Lesson   One order of additions for every launch costs a longer chain, not
 *          the bandwidth, if its links are few.
 */
#include "variants/scan/single_pass.cuh"

/* A group's last tile publishes a prefix; all others, their totals. A lane
 * looks at Depth of these. */
template <int Depth>
struct groups {
    static constexpr int kGroup = 32 * Depth;

    template <class Acc>
    static __device__ __forceinline__ void at_once(tile_state<Acc> *state,
                                                   int64_t step, Acc total)
    {
        if (step % kGroup != kGroup - 1)
            publish(state, TILE_AGGREGATE, total);
    }

    template <class Acc>
    static __device__ __forceinline__ Acc before(const tile_state<Acc> *mine,
                                                 int64_t step)
    {
        const int rank = (int)(step % kGroup); /* in the group */
        const tile_state<Acc> *group = mine - rank * kStateStride<Acc>;
        const tile_state<Acc> *last = group - kStateStride<Acc>;
        const tile_state<Acc> *theirs =
            group + threadIdx.x % 32 * kStateStride<Acc>;

        /* Everybody is asked once before anybody is waited for. */
        unsigned flag[Depth], start_flag = TILE_PREFIX;
        Acc total[Depth], sum = 0, start = 0; /* before the line: 0 */
        if (step >= kGroup)
            start_flag = peek(last, &start);
#pragma unroll
        for (int k = 0; k < Depth; ++k) {
            flag[k] = TILE_AGGREGATE;
            total[k] = 0;
            if ((int)threadIdx.x % 32 + 32 * k < rank)
                flag[k] = peek(theirs + 32 * k * kStateStride<Acc>, &total[k]);
        }
#pragma unroll
        for (int k = 0; k < Depth; ++k) {
            await_tile(theirs + 32 * k * kStateStride<Acc>, flag[k], &total[k]);
            sum += total[k];
        }
        __syncwarp();
#pragma unroll
        for (int apart = 16; apart > 0; apart /= 2)
            sum += __shfl_xor_sync(kWholeWarp, sum, apart);
        /* Last, so that a link of the chain is a wait and an addition. */
        await_tile(last, start_flag, &start);
        return start + sum;
    }

    template <class Acc>
    static __device__ __forceinline__ void in_the_end(tile_state<Acc> *state,
                                                      int64_t step, Acc prefix)
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
        .runs_on = DEVICE_CUDA, .ops = OPS_SCAN, .dtypes = DTYPES_ALL,         \
        .passes = 1, .error_growth = ERROR_TILED,                              \
        .error_tile = threads * items / 2, .deterministic = true,              \
        .refuses = look_back_refuses,                                          \
        .workspace_bytes = single_pass_workspace<threads, items>,              \
        .launch = single_pass_launch<groups<group / 32>, threads, items>       \
    }

VARIANTS(scan__deterministic_lookback) = {
    POINT(256, 64, 32),
    POINT(256, 64, 64),
    {},
};
