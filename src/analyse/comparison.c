/* SPDX-License-Identifier: MIT */
#include "src/analyse/comparison.h"

#include "src/base/memory.h"
#include "src/base/stats.h"

#include <math.h>
#include <stdlib.h>

const char *verdict_name(enum verdict verdict)
{
    static const char *const names[VERDICT_COUNT] = {
        [VERDICT_BROKEN] = "broken",         [VERDICT_SLOWER] = "slower",
        [VERDICT_UNCLEAR] = "unclear",       [VERDICT_FASTER] = "faster",
        [VERDICT_UNMEASURED] = "unmeasured", [VERDICT_NONE] = "no_verdict",
        [VERDICT_TOO_SHORT] = "too_short",   [VERDICT_UNCHANGED] = "unchanged",
    };
    return names[verdict];
}

/* ----------------------------------------------------------------- judging */

static size_t fewer_processes(const struct pair *pair)
{
    const size_t base = pair->base.timing.processes;
    const size_t now = pair->now.timing.processes;
    return base < now ? base : now;
}

/* Benjamini and Hochberg: the largest p that is no more than its share, by
 * rank, of what may be false. 0: none. */
static double chance_allowed(const struct comparison *c)
{
    double *p = memory_for(c->pairs.count, sizeof *p), allowed = 0;
    size_t count = 0;
    for (size_t k = 0; k < c->pairs.count; ++k)
        if (isfinite(c->cells[k].change.high))
            p[count++] = c->cells[k].change.p;
    if (count)
        qsort(p, count, sizeof *p, stats_ascending);
    for (size_t k = 0; k < count; ++k)
        if (p[k] <=
            COMPARISON_FALSE_DISCOVERIES * (double)(k + 1) / (double)count)
            allowed = p[k];
    free(p);
    return allowed;
}

static enum verdict verdict_of(const struct judged *cell,
                               const struct limits *limits, double chance)
{
    const struct change *change = &cell->change;
    const double log_ratio = log(change->ratio);
    const bool real = isfinite(change->high) && change->p <= chance;
    if (real && log_ratio > log1p(limits->change))
        return VERDICT_SLOWER;
    if (real && log_ratio < -log1p(limits->change))
        /* Faster than can be believed is no gain. */
        return cell->pair->now.status == STATUS_SUSPECT &&
                       cell->pair->base.status == STATUS_OK
                   ? VERDICT_UNCLEAR
                   : VERDICT_FASTER;
    if (!(log(change->high) <= log1p(limits->same) &&
          log(change->low) >= -log1p(limits->same)) ||
        cell->pair->base.dropped || cell->pair->now.dropped)
        return VERDICT_UNCLEAR;
    return limits->same <= COMPARISON_MOST_LIMIT ? VERDICT_UNCHANGED
                                                 : VERDICT_TOO_SHORT;
}

/* The change of a timed pair, and of one process a side only its ratio. */
static void measure(struct comparison *c, size_t p)
{
    struct judged *cell = &c->cells[p];
    *cell = (struct judged){ .pair = &c->pairs.pair[p],
                             .change = change_unknown,
                             .time_ratio = NAN,
                             .limit = NAN,
                             .verdict = VERDICT_UNMEASURED };
    c->dropped += cell->pair->base.dropped || cell->pair->now.dropped;
    if (!run_cell_timed(&cell->pair->base) || !run_cell_timed(&cell->pair->now))
        return;
    cell->time_ratio = cell->pair->now.us / cell->pair->base.us;
    cell->verdict = VERDICT_NONE;
    if (!pair_timed(&c->pairs, p))
        return;
    cell->change = change_of(pair_base(&c->pairs, p), pair_now(&c->pairs, p));
    c->few += fewer_processes(cell->pair) < NOISE_ENOUGH_PROCESSES;
    if (fewer_processes(cell->pair) > 1)
        return;
    ++c->single;
    cell->change = (struct change){ cell->change.ratio, 0, INFINITY, 1 };
}

static void judge(struct comparison *c, size_t p)
{
    struct judged *cell = &c->cells[p];
    const struct pair *pair = cell->pair;
    if (pair_timed(&c->pairs, p)) {
        const struct limits limits = noise_limits(&c->noise, &c->pairs, p);
        cell->verdict = verdict_of(cell, &limits, c->chance);
        cell->limit = cell->verdict == VERDICT_UNCHANGED ||
                              cell->verdict == VERDICT_TOO_SHORT
                          ? limits.same
                          : limits.change;
    } else if (run_cell_timed(&pair->base) &&
               status_is_failed(pair->now.status)) {
        cell->verdict = VERDICT_BROKEN;
    }
    cell->alarm = cell->verdict == VERDICT_BROKEN ||
                  (cell->verdict == VERDICT_SLOWER &&
                   fewer_processes(pair) >= NOISE_ENOUGH_PROCESSES);
}

struct comparison compare_runs(const struct run_folder *base,
                               const struct run_folder *now,
                               const struct floors *floors,
                               enum comparison_mode mode)
{
    struct comparison c = { .pairs = pairs_of(&base->rows, &now->rows,
                                              mode == COMPARE_SHARES) };
    c.noise = noise_of(&c.pairs, base, floors);
    c.cells = memory_for(c.pairs.count, sizeof *c.cells);
    for (size_t p = 0; p < c.pairs.count; ++p)
        measure(&c, p);
    c.chance = chance_allowed(&c);
    for (size_t p = 0; p < c.pairs.count; ++p) {
        const struct pair *pair = &c.pairs.pair[p];
        if (mode != COMPARE_RATIOS)
            judge(&c, p);
        c.alarms += c.cells[p].alarm;
        ++c.counts[c.cells[p].verdict];
        c.neither +=
            !run_cell_timed(&pair->base) && !run_cell_timed(&pair->now);
    }
    return c;
}

void comparison_free(struct comparison *comparison)
{
    pairs_free(&comparison->pairs);
    noise_free(&comparison->noise);
    free(comparison->cells);
    *comparison = (struct comparison){ .cells = NULL };
}

/* -------------------------------------------------------------- what of it */

static int worse_first(const void *left, const void *right)
{
    const struct judged *l = left, *r = right;
    if (l->verdict != r->verdict)
        return (int)l->verdict - (int)r->verdict;
    int failed = status_is_failed(r->pair->now.status) -
                 status_is_failed(l->pair->now.status);
    if (failed)
        return failed;
    /* Slower first among all but the faster, where the fastest is first. */
    double far = l->change.ratio - r->change.ratio;
    if (l->verdict == VERDICT_FASTER)
        far = -far;
    if (far != 0 && !isnan(far))
        return far > 0 ? -1 : 1;
    return run_cell_order(l->pair->base.row, r->pair->base.row);
}

void comparison_sort(struct comparison *comparison)
{
    if (comparison->pairs.count)
        qsort(comparison->cells, comparison->pairs.count,
              sizeof *comparison->cells, worse_first);
}

struct mean comparison_mean(const struct comparison *comparison, enum op op)
{
    struct mean mean = { .cells = 0 };
    double logs = 0;
    for (size_t k = 0; k < comparison->pairs.count; ++k) {
        const struct judged *cell = &comparison->cells[k];
        if (cell->pair->base.row->op != op || !isfinite(cell->change.ratio) ||
            pair_near_empty(cell->pair))
            continue;
        logs += log(cell->change.ratio);
        mean.clear += cell->verdict != VERDICT_UNCLEAR;
        ++mean.cells;
    }
    mean.ratio = mean.cells ? exp(logs / (double)mean.cells) : NAN;
    return mean;
}
