/* SPDX-License-Identifier: MIT
 *
 * The contract of a launch over several ranks, an addition to src/variant.h: a
 * tensor is split over the GPUs of one host, with one part per rank. If there
 * are fewer GPUs than ranks, all ranks are streams of one GPU, or run one
 * after another on the host, with the same arithmetic. The harness places the
 * parts and collects them for verification; the variant computes them and
 * exchanges carries.
 */
#pragma once

#include "src/variant.h"

enum { RANKS_MOST = 8, RANKS_STAGES = 2 };

enum split_along {
    SPLIT_LINES, /* whole lines, along outer or else along inner */
    SPLIT_AXIS,  /* each line, in the order of the ranks */
    SPLIT_FLAT,  /* elements, for the traffic twins, which have no lines */
};

/* The split of a problem that a variant needs. */
struct split {
    enum split_along along;
    bool takes_carry; /* each part that others precede has room for carry_rows()
                         places in front of its lines (behind, if reverse),
                         which are included in its shape */
    bool nccl;        /* exchanges through NCCL, not through peers' memory */

    /* Weights of the ranks' shares, or NULL if they are equal. */
    int (*weight)(int rank, int rank_count);
};

/* The work of one rank, whose `part` may be empty; pointers are of its GPU.
 * Split along the axis, `totals` and `gathered` have a value per line of the
 * whole problem, in the type of the sums (f64, or else f32). */
struct rank {
    int gpu;
    void *stream, *side; /* two of its streams; NULL on the host */
    struct problem part;
    int64_t carry_rows; /* of part.shape.axis: the room for the carry */
    void *totals;       /* own sums, one per line */
    void *gathered;     /* [rank][line]: totals of preceding or of all ranks */
    uint32_t *flags;    /* [stage][rank]: the ticket of the last launch whose
                           totals of that rank are in `gathered` */
    void *comm;         /* ncclComm_t, or NULL */
};

struct ranks {
    int count;
    enum op op;
    enum dtype dtype;
    int64_t lines;      /* of the whole problem */
    uint32_t ticket;    /* of this launch; not 0, nor the last one's */
    bool only_exchange; /* skips local work, to time the exchange: sending
                           totals, and waiting for them */
    struct rank rank[RANKS_MOST];
    const char **nccl_said; /* set to the reason if NCCL fails */

    /* Makes later work of the second stream wait for the work queued on the
     * first; both are of one rank. 0, or the device's error code. */
    int (*follow)(void *first, void *second);
};

/* Places along the axis for a carry, which is stored in elements: the half
 * types need three to hold it exactly. Contiguous lines take a whole vector of
 * 16 bytes, so that rows keep their alignment. */
static inline int64_t carry_rows(enum dtype dtype, int64_t inner)
{
    const bool half = dtype_is_half(dtype);
    return inner == 1 ? 16 / (int64_t)dtype_bytes(dtype) : half ? 3 : 1;
}

/* True if rank `other` precedes `rank` along the axis; in a sum all do. */
static inline HOST_DEVICE bool rank_before(enum op op, int other, int rank)
{
    return op_is_reduction(op) ? true
           : op_is_reverse(op) ? other > rank
                               : other < rank;
}

/* True if other ranks precede this one along the axis. */
static inline bool rank_follows(enum op op, int rank, int count)
{
    return op_is_reverse(op) ? rank + 1 < count : rank > 0;
}

/* The first place of a rank's share of `extent` places; `extent` for rank
 * `count`. Long shares begin at multiples of 64. */
static inline int64_t share_begin(const struct split *split, int rank,
                                  int count, int64_t extent)
{
    enum { GRAIN = 64, LONG = 4096 };
    int64_t before = 0, all = 0;
    for (int r = 0; r < count; ++r) {
        const int weight = split->weight ? split->weight(r, count) : 1;
        before += r < rank ? weight : 0;
        all += weight;
    }
    const int64_t begin = extent / all * before + extent % all * before / all;
    return rank < count && extent / count >= LONG ? begin / GRAIN * GRAIN
                                                  : begin;
}
