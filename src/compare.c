/* SPDX-License-Identifier: MIT */
#include "src/compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/launch_cost.h"
#include "src/scatter.h"

/* ------------------------------------------------------------------- sides */

/* How much a status says about its cell: one wrong launch makes it wrong,
 * one timed launch makes a skipped one timed. */
static int weight(enum status status)
{
    static const int weights[STATUS_COUNT] = {
        [STATUS_SKIP] = 0,    [STATUS_UNSTABLE] = 1, [STATUS_OK] = 2,
        [STATUS_SUSPECT] = 3, [STATUS_TIMEOUT] = 4,  [STATUS_ERROR] = 5,
        [STATUS_WRONG] = 6,
    };
    return weights[status];
}

static bool has_mark(const char *marks, const char *word, size_t chars)
{
    while (*marks) {
        const size_t own = strcspn(marks, "+");
        if (own == chars && strncmp(marks, word, chars) == 0)
            return true;
        marks += own + (marks[own] == '+');
    }
    return false;
}

/* What one launch is marked with, the cell is. */
static void add_marks(char marks[SIDE_MARKS_BYTES], const char *more)
{
    while (*more) {
        const size_t chars = strcspn(more, "+"), used = strlen(marks);
        if (used + 1 + chars < SIDE_MARKS_BYTES &&
            !has_mark(marks, more, chars))
            sprintf(marks + used, "%s%.*s", used ? "+" : "", (int)chars, more);
        more += chars + (more[chars] == '+');
    }
}

struct side side_of(const struct run_row *rows, size_t *count)
{
    struct side side = { .row = rows,
                         .status = rows->status,
                         .reason = rows->reason,
                         .pct_ceiling = 0 };
    size_t left = *count;
    for (*count = 0; *count < left; ++*count) {
        const struct run_row *row = &rows[*count];
        if (run_cell_order(rows, row))
            break;
        if (weight(row->status) > weight(side.status)) {
            side.status = row->status;
            side.reason = row->reason;
        }
        add_marks(side.marks, row->marks);
        if (run_row_timed(row)) {
            timing_add(&side.timing, row->median_us, row->low_us, row->high_us);
            side.pct_ceiling += row->pct_ceiling;
        }
    }
    side.rows = *count;
    side.pct_ceiling /= (double)side.timing.launches; /* NaN of none */
    return side;
}

bool side_timed(const struct side *side)
{
    return side->status == STATUS_OK || side->status == STATUS_SUSPECT;
}

bool side_near_empty(const struct side *side)
{
    static const char word[] = "near_empty";
    return has_mark(side->marks, word, sizeof word - 1);
}

const char *side_marks(const struct side *side)
{
    return *side->marks ? side->marks : "none";
}

static bool side_failed(const struct side *side)
{
    return weight(side->status) >= weight(STATUS_TIMEOUT);
}

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
            pair.base = side_of(&base->row[b], &base_rows);
            b += base_rows;
        }
        if (order >= 0) {
            pair.now = side_of(&now->row[n], &now_rows);
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

bool pair_timed(const struct pair *pair)
{
    return side_timed(&pair->base) && side_timed(&pair->now);
}

double pair_us(const struct pair *pair)
{
    return fmin(timing_us(&pair->base.timing), timing_us(&pair->now.timing));
}

struct limits pair_limits(const struct comparison *comparison,
                          const struct pair *pair)
{
    struct limits own = comparison->limits;
    own.kin = pair->kin;
    own.near = pair->near;
    own.near_us = pair->base.row->cache == CACHE_COLD
                      ? comparison->launch_us[CACHE_COLD]
                      : NAN;
    own.absolute_us = /* fmax: not NaN */
        fmax(own.absolute_us, launch_cost_floor(comparison, pair));
    return own;
}

bool pair_short(const struct comparison *comparison, const struct pair *pair)
{
    const struct limits own = pair_limits(comparison, pair);
    return own.relative * pair_us(pair) < own.absolute_us;
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
    const bool broken = side_timed(&pair->base) && side_failed(&pair->now);
    pair->change = (struct change){ NAN, NAN, NAN, NAN,
                                    broken && judge ? VERDICT_BROKEN
                                                    : VERDICT_UNMEASURED };
    comparison->neither += !side_timed(&pair->base) && !side_timed(&pair->now);
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
    int failed = side_failed(&r->now) - side_failed(&l->now);
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
            side_near_empty(&pair->base) || side_near_empty(&pair->now))
            continue;
        logs += log(pair->change.ratio);
        ++*cells;
    }
    return *cells ? exp(logs / (double)*cells) : NAN;
}
