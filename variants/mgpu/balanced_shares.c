/* SPDX-License-Identifier: MIT
 *
 * Idea     The rank with no predecessor sums its part first, so that its total
 *          is known early, then scans it, 1.5 passes; all others scan at once,
 *          then add the carry, 2 passes. It takes 4/3 of another's share, so
 *          that all end together.
 * Against  scan_gather_add: that one's first rank idles while the others
 *          add. Of N ranks the first has 4 / (3N + 1) of the line, the others
 *          3 / (3N + 1): the time falls from 2/N passes to 6 / (3N + 1).
 * Traffic  2 passes but for the first part (passes = 2).
 * Needs    not the half types, as that one.
 * Source   none.
 * Lesson   Unequal shares do not pay where all ranks read twice and store once.
 */
#include "variants/ranks/local.h"

/* The first in the order of the ranks: reverse scans are not served. */
static int weight(int rank, int rank_count)
{
    (void)rank_count;
    return rank == 0 ? 4 : 3;
}

static const struct split split = { .along = SPLIT_AXIS, .weight = weight };

static const char *refuses(const struct problem *p)
{
    return local_refuses(p, &split);
}

static int totals(const struct local *local, const struct ranks *ranks, int r)
{
    void *const stream = ranks->rank[r].stream;
    if (r == 0)
        return local->totals(ranks, r, all_lines(ranks), stream);
    const int error = local_scan(ranks, r, all_lines(ranks), stream);
    return error ? error : local->last(ranks, r, stream);
}

static int launch(const struct problem *p, void *stream)
{
    const struct ranks *ranks = p->ranks;
    (void)stream;
    EACH_RANK(ranks, r, totals(local, ranks, r));
    int error = local_gather(ranks, false);
    if (!error)
        error = local_scan(ranks, 0, all_lines(ranks), ranks->rank[0].stream);
    if (error)
        return error;
    EACH_RANK(ranks, r,
              r > 0 ? local->add(ranks, r, 0, ranks->rank[r].stream) : 0);
    return 0;
}

#define POINT(kind)                                                            \
    {                                                                          \
        .name = "mgpu_balanced_shares",                                        \
        .idea = "the first GPU sums, then scans a larger part; others add",    \
        .runs_on = kind,                                                       \
        .ops = OPS(FORMS_SCAN & ~FORM_OF(OP_CUMSUM_REVERSE),                   \
                   DTYPE_BIT(DTYPE_F32) | DTYPE_BIT(DTYPE_F64)),               \
        .passes = 2, .passes_masked = 17 / 9.0, .error_growth = ERROR_TILED,   \
        .error_tile = 1,                                                       \
        .loses_subnormals = /* atomics */ kind == DEVICE_CUDA,                 \
        .refuses = refuses, .launch = launch, .split = &split                  \
    }

VARIANTS(mgpu__balanced_shares) = {
    POINT(DEVICE_HOST),
    POINT(DEVICE_CUDA),
    { 0 },
};
