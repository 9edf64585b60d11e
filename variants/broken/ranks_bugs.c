/* SPDX-License-Identifier: MIT
 *
 * Bug      One for each variant, in a cumulative sum whose axis is split.
 * Shows    three ranks.
 */
#include "variants/ranks/local.h"

static const struct split split = { .along = SPLIT_AXIS, .takes_carry = true };

static const char *refuses(const struct problem *p)
{
    return local_refuses(p, &split);
}

/* Carries totals in the order of `turned`, to the last rank but for `lost` of
 * its lines. */
static int carry(const struct ranks *ranks, const struct ranks *turned,
                 int64_t lost)
{
    int error = local_each_totals(ranks);
    if (!error)
        error = local_gather(turned, false);
    for (int r = 1; r < ranks->count && !error; ++r) {
        const struct local *local = local_of(ranks, r);
        const bool last = r + 1 == ranks->count;
        const struct lines lines = { 0, ranks->lines - (last ? lost : 0) };
        error = local ? local->carry(turned, r, lines, 0, ranks->rank[r].stream)
                      : -1;
    }
    return error;
}

/* The last rank scans its last line without the carry that enters it. */
static int carry_lost(const struct problem *p, void *stream)
{
    const int error = carry(p->ranks, p->ranks, 1);
    (void)stream;
    return error ? error : local_each_scan(p->ranks);
}

/* Carries are made of the later ranks' totals. */
static int order_swapped(const struct problem *p, void *stream)
{
    struct ranks turned = *p->ranks;
    (void)stream;
    turned.op = OP_CUMSUM_REVERSE;
    const int error = carry(p->ranks, &turned, 0);
    return error ? error : local_each_scan(p->ranks);
}

/* The last rank scans a line more than its part has. */
static int past_part(const struct problem *p, void *stream)
{
    const int error = carry(p->ranks, p->ranks, 0);
    struct ranks longer = *p->ranks;
    (void)stream;
    ++longer.rank[longer.count - 1].part.shape.outer;
    return error ? error : local_each_scan(&longer);
}

/* A rank reads totals once it has published its own, and the ranks before
 * publish only then, so that the bug shows without a race. */
static int flag_early(const struct problem *p, void *stream)
{
    const struct ranks *ranks = p->ranks;
    (void)stream;
    int error = local_each_totals(ranks);
    for (int r = ranks->count - 1; r >= 0 && !error; --r) {
        const struct local *local = local_of(ranks, r);
        void *const own = ranks->rank[r].stream;
        error = local ? local->publish(ranks, r, all_lines(ranks), 0, own) : -1;
        if (!error && r > 0)
            error = local->carry(ranks, r, all_lines(ranks), GATHERED, own);
        if (!error && r > 0)
            error = ranks->follow(own, ranks->rank[r - 1].stream);
    }
    return error ? error : local_each_scan(ranks);
}

#define BUG_ON(kind, function, bug)                                            \
    {                                                                          \
        .name = "ranks_" #function, .idea = bug, .runs_on = kind,              \
        .ops = OPS(FORM_OF(OP_CUMSUM), DTYPES_FLOAT), .passes = 1.5,           \
        .error_growth = ERROR_TILED, .error_tile = 1, .refuses = refuses,      \
        .launch = function, .split = &split                                    \
    }
#define BUG(function, bug)                                                     \
    BUG_ON(DEVICE_HOST, function, bug), BUG_ON(DEVICE_CUDA, function, bug)

/* The first finds no totals of another in the workspace. */
VARIANTS(broken__ranks_bugs) = {
    BUG(flag_early, "reads totals that are not there yet"),
    BUG(carry_lost, "one line of one rank gets no carry"),
    BUG(order_swapped, "ranks in the wrong order"),
    BUG(past_part, "a rank scans a line too many"),
    { 0 },
};
