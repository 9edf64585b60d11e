/* SPDX-License-Identifier: MIT */
#include "src/analyse/comparison.h"

#include "src/base/memory.h"
#include "src/base/stats.h"

#include <math.h>
#include <stdlib.h>

/* A larger limit does not make a cell `unchanged`. */
#define MOST_LIMIT 0.05
/* Share of the changes found that may be false. */
#define FALSE_DISCOVERIES 0.05

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

/* ------------------------------------------------------------------- pairs */

static void add_pair(struct pairs *pairs, const struct pair *pair,
                     bool by_share)
{
    if (!pair->now.row && !pairs->only_base++)
        pairs->first_only_base = pair->base.row;
    if (!pair->base.row && !pairs->only_now++)
        pairs->first_only_now = pair->now.row;
    if (!pair->base.row || !pair->now.row)
        return;
    struct pair *added = &pairs->pair[pairs->count++];
    *added = *pair;
    if (by_share) {
        added->base.timing = pair->base.over_ceiling;
        added->now.timing = pair->now.over_ceiling;
    }
}

struct pairs pairs_of(const struct run_rows *base, const struct run_rows *now,
                      bool by_share)
{
    struct pairs pairs = { .pair =
                               memory_for(base->count, sizeof *pairs.pair) };
    for (size_t b = 0, n = 0; b < base->count || n < now->count;) {
        size_t base_rows = base->count - b, now_rows = now->count - n;
        const int order = !base_rows ? 1
                          : !now_rows
                              ? -1
                              : run_cell_order(&base->row[b], &now->row[n]);
        struct pair pair = { .base = { .rows = 0 } };
        if (order <= 0) {
            pair.base = run_cell_of(&base->row[b], &base_rows);
            b += base_rows;
        }
        if (order >= 0) {
            pair.now = run_cell_of(&now->row[n], &now_rows);
            n += now_rows;
        }
        add_pair(&pairs, &pair, by_share);
    }
    return pairs;
}

static bool both_timed(const struct pair *pair)
{
    return run_cell_timed(&pair->base) && run_cell_timed(&pair->now);
}

bool pair_judged(const struct pair *pair)
{
    return both_timed(pair) && isfinite(pair->base.timing.log_mean) &&
           isfinite(pair->now.timing.log_mean);
}

double pair_us(const struct pair *pair)
{
    return fmin(pair->base.us, pair->now.us);
}

bool pair_near_empty(const struct pair *pair)
{
    return pair->base.marks & MARK_NEAR_EMPTY;
}

static size_t fewer_processes(const struct pair *pair)
{
    const size_t base = pair->base.timing.processes;
    const size_t now = pair->now.timing.processes;
    return base < now ? base : now;
}

/* ------------------------------------------------------------------ change */

double change_per_process(const struct timing *base, const struct timing *now)
{
    return 1 / (double)base->processes + 1 / (double)now->processes;
}

struct change change_of(const struct timing *base, const struct timing *now)
{
    const double n = (double)base->processes, m = (double)now->processes;
    const double log_ratio = now->log_mean - base->log_mean;
    const double own =
        base->own_variances / (n * n) + now->own_variances / (m * m);
    /* One process on each side counts as a thousand samples. */
    const size_t degrees = n + m > 2 ? (size_t)(n + m) - 2 : 1000;
    const double between = n + m > 2 ? (base->log_squares + now->log_squares) /
                                           (double)degrees *
                                           change_per_process(base, now)
                                     : NAN;
    const double error = sqrt(fmax(between, own)); /* fmax() ignores a NaN */
    if (isnan(error))
        return (struct change){ exp(log_ratio), 0, INFINITY, 1 };
    const double half = student_t(0.05, degrees) * error;
    return (struct change){
        exp(log_ratio), exp(log_ratio - half), exp(log_ratio + half),
        log_ratio == 0 ? 1 : student_p(fabs(log_ratio) / error, degrees)
    };
}

/* ----------------------------------------------------------------- judging */

/* Benjamini and Hochberg: the largest p that is at most FALSE_DISCOVERIES times
 * its rank over the count; 0 if there is none. */
static double chance_allowed(const struct comparison *c)
{
    double *p = memory_for(c->pairs.count, sizeof *p), allowed = 0;
    size_t count = 0;
    for (size_t k = 0; k < c->pairs.count; ++k)
        if (isfinite(c->cells[k].change.high))
            p[count++] = c->cells[k].change.p;
    qsort(p, count, sizeof *p, stats_ascending);
    for (size_t k = 0; k < count; ++k)
        if (p[k] <= FALSE_DISCOVERIES * (double)(k + 1) / (double)count)
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
        return cell->pair->now.status == STATUS_SUSPECT &&
                       cell->pair->base.status == STATUS_OK
                   ? VERDICT_UNCLEAR
                   : VERDICT_FASTER;
    if (!(log(change->high) <= log1p(limits->same) &&
          log(change->low) >= -log1p(limits->same)) ||
        cell->pair->base.dropped || cell->pair->now.dropped)
        return VERDICT_UNCLEAR;
    return limits->same <= MOST_LIMIT ? VERDICT_UNCHANGED : VERDICT_TOO_SHORT;
}

static void measure(struct comparison *c, size_t p)
{
    const struct pair *pair = &c->pairs.pair[p];
    struct judged *cell = &c->cells[p];
    *cell = (struct judged){ .pair = pair,
                             .change = { NAN, NAN, NAN, 1 },
                             .time_ratio = NAN,
                             .limit = NAN,
                             .least = INFINITY,
                             .verdict = VERDICT_UNMEASURED };
    c->dropped += pair->base.dropped || pair->now.dropped;
    c->neither += !run_cell_timed(&pair->base) && !run_cell_timed(&pair->now);
    if (!both_timed(pair))
        return;
    cell->time_ratio = pair->now.us / pair->base.us;
    cell->verdict = VERDICT_NONE;
    if (!pair_judged(pair))
        return;
    cell->change = change_of(&pair->base.timing, &pair->now.timing);
    ++c->judged;
    c->few += fewer_processes(pair) < NOISE_ENOUGH_PROCESSES;
    if (fewer_processes(pair) > 1)
        return;
    ++c->single;
    cell->change = (struct change){ cell->change.ratio, 0, INFINITY, 1 };
}

static void judge(struct comparison *c, size_t p, double chance)
{
    struct judged *cell = &c->cells[p];
    const struct pair *pair = cell->pair;
    if (pair_judged(pair)) {
        const struct limits limits = noise_limits(&c->noise, &c->pairs, p);
        cell->verdict = verdict_of(cell, &limits, chance);
        cell->limit = cell->verdict == VERDICT_UNCHANGED ||
                              cell->verdict == VERDICT_TOO_SHORT
                          ? limits.same
                          : limits.change;
        if (fewer_processes(pair) >= NOISE_ENOUGH_PROCESSES) {
            /* The least that passes the test if no other cell changed. */
            const size_t tests = c->judged - c->single;
            const size_t degrees =
                pair->base.timing.processes + pair->now.timing.processes - 2;
            const double alone =
                fmax(chance, FALSE_DISCOVERIES / (double)tests);
            const double least =
                expm1(log(cell->change.high / cell->change.ratio) *
                      student_t(alone, degrees) / student_t(0.05, degrees));
            cell->least = fmax(limits.change, least);
        }
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
    const double chance = chance_allowed(&c);
    for (size_t p = 0; p < c.pairs.count; ++p) {
        if (mode != COMPARE_RATIOS)
            judge(&c, p, chance);
        c.alarms += c.cells[p].alarm;
        ++c.counts[c.cells[p].verdict];
    }
    return c;
}

size_t comparison_shows(const struct comparison *comparison, double slower)
{
    size_t count = 0;
    for (size_t k = 0; k < comparison->pairs.count; ++k)
        count += comparison->cells[k].least < slower;
    return count;
}

void comparison_free(struct comparison *comparison)
{
    free(comparison->pairs.pair);
    free(comparison->noise.same_variant_sd);
    free(comparison->cells);
    *comparison = (struct comparison){ .cells = NULL };
}

/* ----------------------------------------------------------------- results */

static int worse_first(const void *left, const void *right)
{
    const struct judged *l = left, *r = right;
    if (l->verdict != r->verdict)
        return (int)l->verdict - (int)r->verdict;
    int failed = status_is_failed(r->pair->now.status) -
                 status_is_failed(l->pair->now.status);
    if (failed)
        return failed;
    /* The slowest first, but among the faster ones the fastest. */
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
    mean.ratio = exp(logs / (double)mean.cells); /* NaN without a cell */
    return mean;
}
