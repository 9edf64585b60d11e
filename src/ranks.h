/* SPDX-License-Identifier: MIT
 *
 * The contract of a launch over several ranks, beside src/variant.h: a tensor
 * lies in parts on the GPUs of one host, a part a rank. Where there are fewer
 * GPUs than ranks, all ranks are streams of one GPU, or take turns on the host:
 * the arithmetic is the same. The harness places the parts, and takes the whole
 * together again to verify it; a variant computes them, and exchanges what it
 * must.
 */
#ifndef SRC_RANKS_H
#define SRC_RANKS_H

#include "src/variant.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { RANKS_MOST = 8, RANKS_STAGES = 2 };

enum split_along {
    SPLIT_LINES, /* whole lines: of outer, or else of inner */
    SPLIT_AXIS,  /* every line, in the order of the ranks */
    SPLIT_FLAT,  /* elements: for the traffic twins, which know no lines */
};

/* How a variant wants a problem to lie. */
struct split {
    enum split_along along;
    bool takes_carry; /* in front of (reverse: behind) each line of a part that
                         others precede there is room for carry_rows() places
                         along the axis, which are part of its shape */
    bool nccl;        /* exchanges through NCCL, else through peers' memory */

    /* Of all, the share of a rank is its weight over the sum of all ranks';
     * NULL: all alike. */
    int (*weight)(int rank, int rank_count);
};

/* What a rank works on. Pointers live on its GPU; `part` is its problem, which
 * may be empty. Values of the type summed in (f64, or else f32) are one a line
 * of the whole problem, where it is split along the axis. */
struct rank {
    int gpu;
    void *stream, *side; /* two of its streams; host: NULL */
    struct problem part;
    int64_t carry_rows; /* of part.shape.axis: the room for the carry */
    void *totals;       /* own sums, one a line */
    void *gathered;     /* [rank][line]: those of the ranks before, or of all */
    uint32_t *flags;    /* [stage][rank]: the ticket of the launch whose totals
                           that rank has put into `gathered` */
    void *comm;         /* ncclComm_t, or NULL */
};

struct ranks {
    int count;
    enum op op;
    enum dtype dtype;
    int64_t lines;      /* of the whole problem */
    uint32_t ticket;    /* of this launch; never 0, nor the last one's */
    bool only_exchange; /* what is local is left out, to time the rest: that
                           totals go out, and the wait for them */
    struct rank rank[RANKS_MOST];
    const char **nccl_said; /* there a launch leaves why NCCL failed */

    /* Work queued from now on on the second stream waits for what is queued on
     * the first, both of one rank. 0, or the device's error code. */
    int (*follow)(void *first, void *second);
};

/* Places along the axis that a carry takes, which comes as elements: the half
 * types need three to hold it exactly. Whole vectors of 16 bytes where lines
 * are contiguous, so that rows keep their alignment. */
static inline int64_t carry_rows(enum dtype dtype, int64_t inner)
{
    const bool half = dtype_bytes(dtype) == 2;
    return inner == 1 ? 16 / (int64_t)dtype_bytes(dtype) : half ? 3 : 1;
}

/* Whether rank `other` comes before rank `rank` along the axis; of a sum, all
 * do. */
static inline HOST_DEVICE bool rank_before(enum op op, int other, int rank)
{
    return op == OP_SUM              ? true
           : op == OP_CUMSUM_REVERSE ? other > rank
                                     : other < rank;
}

/* Whether others come before this rank along the axis. */
static inline bool rank_follows(enum op op, int rank, int count)
{
    return op == OP_CUMSUM_REVERSE ? rank + 1 < count : rank > 0;
}

/* Where the share of rank `rank` begins of `extent` places; that of the rank
 * behind the last is the end. Long shares begin at whole multiples of 64. */
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

#ifdef __cplusplus
}
#endif
#endif
