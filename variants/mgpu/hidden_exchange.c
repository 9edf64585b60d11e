/* SPDX-License-Identifier: MIT
 *
 * Idea     The lines are taken in two halves: while the second is summed, the
 *          totals of the first travel, and while the first is scanned, those of
 *          the second.
 * Against  reduce_gather_scan: that one waits for the exchange; here it
 *          runs on a stream of its own, beside local work.
 * Traffic  3N elements (passes = 1.5; with the mask 14/9 in f32).
 * Needs    two outer slices: of a single line the carry is needed at once.
 * Source   none.
 * Lesson   An exchange hides only behind independent work, and one line has
 *          none.
 */
#include "variants/ranks/local.h"

static const struct split split = { .along = SPLIT_AXIS, .takes_carry = true };

static const char *refuses(const struct problem *p)
{
    if (p->shape.outer < 2)
        return "needs two outer slices: nothing to hide behind";
    return local_refuses(p, &split);
}

/* The stage's half of the lines, in whole outer slices. */
static struct lines half_of(const struct ranks *ranks, int stage)
{
    const struct shape shape = ranks->rank[0].part.shape;
    const int64_t middle = shape.outer / 2 * shape.inner;
    const struct lines halves[RANKS_STAGES] = {
        { 0, middle }, { middle, ranks->lines - middle }
    };
    return halves[stage];
}

/* Sums each half, and sends it on its way. */
static int send(const struct local *local, const struct ranks *ranks, int r,
                int stage)
{
    const struct rank *rank = &ranks->rank[r];
    const struct lines half = half_of(ranks, stage);
    int error = local->totals(ranks, r, half, rank->stream);
    if (!error)
        error = ranks->follow(rank->stream, rank->side);
    return error ? error : local->publish(ranks, r, half, stage, rank->side);
}

static int receive(const struct local *local, const struct ranks *ranks, int r,
                   int stage)
{
    const struct rank *rank = &ranks->rank[r];
    const struct lines half = half_of(ranks, stage);
    int error = 0;
    if (rank_follows(ranks->op, r, ranks->count))
        error = local->carry(ranks, r, half, stage, rank->side);
    if (!error)
        error = ranks->follow(rank->side, rank->stream);
    return error ? error : local_scan(ranks, r, half, rank->stream);
}

static int launch(const struct problem *p, void *stream)
{
    const struct ranks *ranks = p->ranks;
    (void)stream;
    for (int stage = 0; stage < RANKS_STAGES; ++stage)
        EACH_RANK(ranks, r, send(local, ranks, r, stage));
    for (int stage = 0; stage < RANKS_STAGES; ++stage)
        EACH_RANK(ranks, r, receive(local, ranks, r, stage));
    return 0;
}

#define POINT(kind)                                                            \
    {                                                                          \
        .name = "mgpu_hidden_exchange",                                        \
        .idea = "half the lines are summed while the others' totals travel",   \
        .runs_on = kind, .ops = OPS(FORMS_SCAN, DTYPES_FLOAT), .passes = 1.5,  \
        .passes_masked = 14 / 9.0, .error_growth = ERROR_TILED,                \
        .error_tile = 1,                                                       \
        .loses_subnormals = /* atomics */ kind == DEVICE_CUDA,                 \
        .refuses = refuses, .launch = launch, .split = &split                  \
    }

VARIANTS(mgpu__hidden_exchange) = {
    POINT(DEVICE_HOST),
    POINT(DEVICE_CUDA),
    { 0 },
};
