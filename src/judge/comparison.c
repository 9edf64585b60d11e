/* SPDX-License-Identifier: MIT */
#include "src/judge/comparison.h"

#include <math.h>
#include <stdlib.h>

#include "src/judge/launch_cost.h"
#include "src/judge/pair_limits.h"
#include "src/judge/scatter.h"

/* ----------------------------------------------------------------- pairing */

static void pair_up(struct comparison *comparison, const struct run_rows *base,
                    const struct run_rows *now)
{
    size_t b = 0, n = 0;
    while (b < base->count || n < now->count) {
        size_t base_rows = base->count - b, now_rows = now->count - n;
        int order = !base_rows  ? 1
                    : !now_rows ? -1
                                : run_cell_order(&base->row[b], &now->row[n]);
        struct pair pair = { .kin = NAN, .near = NAN };
        if (order <= 0) {
            pair.base = run_cell_of(&base->row[b], &base_rows);
            b += base_rows;
        }
        if (order >= 0) {
            pair.now = run_cell_of(&now->row[n], &now_rows);
            n += now_rows;
        }
        if (order < 0 && !comparison->only_base++)
            comparison->first_only_base = pair.base.row;
        if (order > 0 && !comparison->only_now++)
            comparison->first_only_now = pair.now.row;
        if (order == 0)
            comparison->pairs[comparison->count++] = pair;
    }
}

static void judge_pair(struct comparison *comparison, struct pair *pair,
                       bool judge)
{
    if (pair_timed(pair)) {
        const struct limits own = pair_limits(comparison, pair);
        pair->change = change_of(&pair->base.timing, &pair->now.timing, &own);
        /* Faster than can be believed is no gain. */
        if (pair->change.verdict == VERDICT_FASTER &&
            pair->now.status == STATUS_SUSPECT &&
            pair->base.status == STATUS_OK)
            pair->change.verdict = VERDICT_UNCLEAR;
        if (!judge)
            pair->change.verdict = VERDICT_NONE;
        return;
    }
    const bool broken =
        run_cell_timed(&pair->base) && run_cell_failed(&pair->now);
    pair->change = (struct change){ NAN, NAN, NAN, NAN,
                                    broken && judge ? VERDICT_BROKEN
                                                    : VERDICT_UNMEASURED };
    comparison->neither +=
        !run_cell_timed(&pair->base) && !run_cell_timed(&pair->now);
}

struct comparison compare_runs(const struct run_folder *base,
                               const struct run_folder *now,
                               const struct limits *limits, bool judge)
{
    struct comparison comparison = { .limits = *limits };
    size_t room = base->rows.count + 1;
    comparison.pairs = malloc(room * sizeof *comparison.pairs);
    if (!comparison.pairs)
        abort();
    pair_up(&comparison, &base->rows, &now->rows);
    launch_cost_set(&comparison, base, now);
    comparison.limits.drift = scatter_typical(&comparison);
    scatter_set_kin(&comparison);
    for (size_t p = 0; p < comparison.count; ++p) {
        judge_pair(&comparison, &comparison.pairs[p], judge);
        ++comparison.counts[comparison.pairs[p].change.verdict];
    }
    return comparison;
}

void compare_free(struct comparison *comparison)
{
    free(comparison->pairs);
    *comparison = (struct comparison){ 0 };
}

/* -------------------------------------------------------------- what of it */

static int worse_first(const void *left, const void *right)
{
    const struct pair *l = left, *r = right;
    if (l->change.verdict != r->change.verdict)
        return (int)l->change.verdict - (int)r->change.verdict;
    int failed = run_cell_failed(&r->now) - run_cell_failed(&l->now);
    if (failed)
        return failed;
    /* Slower first among all but the faster, where the fastest is first. */
    double far = l->change.ratio - r->change.ratio;
    if (l->change.verdict == VERDICT_FASTER)
        far = -far;
    if (far != 0 && !isnan(far))
        return far > 0 ? -1 : 1;
    return run_cell_order(l->base.row, r->base.row);
}

void compare_sort(struct comparison *comparison)
{
    if (comparison->count)
        qsort(comparison->pairs, comparison->count, sizeof *comparison->pairs,
              worse_first);
}

double compare_geomean(const struct comparison *comparison, enum op op,
                       size_t *cells)
{
    double logs = 0;
    *cells = 0;
    for (size_t p = 0; p < comparison->count; ++p) {
        const struct pair *pair = &comparison->pairs[p];
        if (pair->base.row->op != op || !pair_timed(pair) ||
            run_cell_marked(&pair->base, "near_empty") ||
            run_cell_marked(&pair->now, "near_empty"))
            continue;
        logs += log(pair->change.ratio);
        ++*cells;
    }
    return *cells ? exp(logs / (double)*cells) : NAN;
}
