/* SPDX-License-Identifier: MIT
 *
 * Idea     Whole lines are dealt out to the ranks, and each scans or sums its
 *          own: nothing is exchanged.
 * Against  best: calls it, once for every rank; that the ranks begin and end
 *          together is all there is to lose.
 * Traffic  that of what it calls (passes = 1), on all GPUs at once.
 * Needs    as many lines as ranks.
 * Source   none.
 * Lesson   With enough lines, N GPUs are N times as fast; only cut lines need a
 *          design.
 */
#include "variants/ranks/local.h"

static const struct split split = { .along = SPLIT_LINES };

static const char *refuses(const struct problem *p)
{
    const int64_t most =
        p->shape.outer > p->shape.inner ? p->shape.outer : p->shape.inner;
    if (p->rank_count > 0 && most < p->rank_count)
        return "fewer lines than ranks";
    return local_refuses(p, &split);
}

static int launch(const struct problem *p, void *stream)
{
    (void)stream;
    return local_each_scan(p->ranks);
}

#define POINT(kind)                                                            \
    {                                                                          \
        .name = "mgpu_lines", .idea = "whole lines per GPU, no exchange",      \
        .runs_on = kind, .ops = OPS(FORMS_SCAN | FORM_REDUCE, DTYPES_FLOAT),   \
        .passes = 1, .error_growth = ERROR_TILED, .error_tile = 1,             \
        .loses_subnormals = true, .refuses = refuses, .launch = launch,        \
        .split = &split                                                        \
    }

VARIANTS(mgpu__lines) = {
    POINT(DEVICE_HOST),
    POINT(DEVICE_CUDA),
    { 0 },
};
