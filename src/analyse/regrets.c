/* SPDX-License-Identifier: MIT */
#include "src/analyse/regrets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/memory.h"
#include "src/base/stats.h"
#include "src/choose/learner.h"

const int regret_quantiles[REGRET_QUANTILES] = {
    [REGRET_P5] = 5,   [REGRET_P25] = 25,   [REGRET_P50] = 50,
    [REGRET_P75] = 75, [REGRET_P90] = 90,   [REGRET_P95] = 95,
    [REGRET_P99] = 99, [REGRET_P100] = 100,
};

static double time_of(const struct run_cell *cell)
{
    double us = INFINITY;
    if (standing_timed(cell))
        return cell->us;
    if (cell->status == STATUS_SLOW)
        for (size_t r = 0; r < cell->rows; ++r)
            if (cell->row[r].launch_us > 0)
                us = fmin(us, cell->row[r].launch_us);
    return us;
}

/* The left time over the right one. */
static double time_ratio(const struct regret_entry *left,
                         const struct regret_entry *right)
{
    const double shares = right->cell.pct_ceiling / left->cell.pct_ceiling;
    return left->run == right->run || isnan(shares)
               ? left->cell.us / right->cell.us
               : shares;
}

static struct regret_cell judged(const struct regret_entry *own,
                                 const struct regret_entry *winner,
                                 bool has_rival)
{
    const bool timed = standing_timed(&own->cell);
    struct regret_cell cell = { .own = own->cell,
                                .class = shape_class_of(own->cell.row->shape),
                                .us = time_of(&own->cell),
                                .regret_pct = NAN,
                                .share_pct = NAN,
                                .winner_share_pct = NAN };
    if (winner) {
        const double ratio =
            timed ? time_ratio(own, winner) : cell.us / winner->cell.us;
        cell.winner = winner->cell;
        cell.winner_share_pct = winner->cell.pct_ceiling;
        cell.regret_pct = has_rival ? fmax(ratio - 1, 0) * 100 : NAN;
        cell.share_pct = winner->cell.pct_ceiling / ratio;
    }
    if (timed)
        cell.share_pct = own->cell.pct_ceiling;
    return cell;
}

void regret_add(struct regret *regret, const struct run_folder *run)
{
    const struct row *rows = run->rows.row;
    const size_t run_number = regret->runs++;
    for (size_t r = 0, count; r < run->rows.count; r += count) {
        count = run->rows.count - r;
        regret->entries = memory_more(regret->entries, regret->entry_count,
                                      sizeof *regret->entries);
        regret->entries[regret->entry_count++] =
            (struct regret_entry){ run_cell_of(&rows[r], &count), run_number };
    }
}

/* Firm cells come before all others. */
static bool is_ahead(const struct regret_entry *entry,
                     const struct regret_entry *winner)
{
    if (!standing_timed(&entry->cell))
        return false;
    if (!winner)
        return true;
    if (standing_firm(&entry->cell) != standing_firm(&winner->cell))
        return standing_firm(&entry->cell);
    return time_ratio(entry, winner) < 1;
}

/* By problem, then by variant, then by the order of adding the runs. */
static int entry_order(const void *left, const void *right)
{
    const struct regret_entry *l = left, *r = right;
    const int order = run_cell_order(l->cell.row, r->cell.row);
    return order ? order : (l->run > r->run) - (l->run < r->run);
}

/* Judges a problem's entries; false if none of them is wanted. */
static bool judge_problem(const struct regret_entry *entries, size_t count,
                          const struct regret_scope *scope,
                          struct regret_cell *found)
{
    const struct regret_entry *own = NULL, *winner = NULL;
    size_t timed = 0; /* variants */
    const struct rules_variant *ranked[RULES_RANKED];
    const struct row *row = entries->cell.row;
    int limit = scope->rules ? rules_rank(scope->rules, row->op, row->dtype,
                                          row->shape, ranked)
                             : 1;
    for (size_t k = 0; k < count; ++k) {
        if (k &&
            run_cell_order(entries[k - 1].cell.row, entries[k].cell.row) == 0)
            continue; /* the variant, in a run that was added later */
        timed += standing_timed(&entries[k].cell);
        const struct run_cell *cell = &entries[k].cell;
        /* Rules skip a variant that refuses, or was not tried, as if it were
         * not in the run. */
        int place = scope->rules && (cell->status == STATUS_SKIP ||
                                     cell->status == STATUS_UNTRIED)
                        ? limit
                        : 0;
        while (place < limit &&
               strcmp(cell->row->variant,
                      scope->rules ? ranked[place]->name : scope->variant) != 0)
            ++place;
        if (place < limit)
            own = &entries[k];
        limit = place;
        if (is_ahead(&entries[k], winner))
            winner = &entries[k];
    }
    if (!own)
        return false;
    *found = judged(own, winner,
                    scope->rules || timed > (size_t)standing_timed(&own->cell));
    return true;
}

void regret_judge(struct regret *regret, const struct regret_scope *scope)
{
    const struct regret_entry *entries = regret->entries;
    const size_t all = regret->entry_count;
    if (!regret->cells)
        regret->cells = memory_for(all, sizeof *regret->cells);
    if (all)
        qsort(regret->entries, all, sizeof *entries, entry_order);
    for (size_t first = 0, end; first < all; first = end) {
        const struct row *row = entries[first].cell.row;
        end = first + 1;
        while (end < all && run_group_order(row, entries[end].cell.row) == 0)
            ++end;
        if (!scope->fold || scope->fold == learner_fold(row->shape))
            regret->count += judge_problem(entries + first, end - first, scope,
                                           &regret->cells[regret->count]);
    }
}

void regret_free(struct regret *regret)
{
    free(regret->entries);
    free(regret->cells);
    *regret = (struct regret){ 0 };
}

/* True if the variant does not serve or fit; it is in no quantile. */
static bool refused(const struct regret_cell *cell)
{
    return cell->own.status == STATUS_SKIP;
}

bool regret_low(const struct regret_cell *cell)
{
    return !refused(cell) &&
           (!standing_timed(&cell->own) || cell->share_pct < REGRET_LOW_PCT);
}

/* -------------------------------------------------------------- quantiles */

/* Takes the number at this offset in each cell. */
static void set_quantiles(const struct regret_cell *const *cells, size_t count,
                          size_t offset, double quantiles[REGRET_QUANTILES])
{
    double *numbers = memory_for(count, sizeof *numbers);
    size_t known = 0;
    for (size_t k = 0; k < count; ++k) {
        memcpy(&numbers[known], (const char *)cells[k] + offset,
               sizeof *numbers);
        known += !isnan(numbers[known]);
    }
    qsort(numbers, known, sizeof *numbers, stats_ascending);
    for (int q = 0; q < REGRET_QUANTILES; ++q)
        quantiles[q] =
            stats_quantile(numbers, known, regret_quantiles[q] / 100.0);
    free(numbers);
}

struct regret_summary regret_summarise(const struct regret *regret, enum op op,
                                       enum dtype dtype, enum shape_class class)
{
    struct regret_summary summary = { 0 };
    const struct regret_cell **cells = memory_for(regret->count, sizeof *cells);
    for (size_t k = 0; k < regret->count; ++k) {
        const struct regret_cell *cell = &regret->cells[k];
        const struct row *row = cell->own.row;
        if (row->op != op || row->dtype != dtype ||
            (class != SHAPE_CLASS_COUNT && cell->class != class))
            continue;
        summary.low += regret_low(cell);
        if (refused(cell)) {
            ++summary.refused;
            continue;
        }
        summary.untimed += !standing_timed(&cell->own);
        cells[summary.cells++] = cell;
    }
    set_quantiles(cells, summary.cells,
                  offsetof(struct regret_cell, regret_pct), summary.regret_pct);
    set_quantiles(cells, summary.cells, offsetof(struct regret_cell, share_pct),
                  summary.share_pct);
    set_quantiles(cells, summary.cells,
                  offsetof(struct regret_cell, winner_share_pct),
                  summary.winner_share_pct);
    free(cells);
    return summary;
}

/* ------------------------------------------------------------------ worst */

/* Cells without a winner come last; equal ones stay in order. */
static int worst_first(const void *left, const void *right)
{
    const struct regret_cell *l = *(const struct regret_cell *const *)left;
    const struct regret_cell *r = *(const struct regret_cell *const *)right;
    const double left_pct = isnan(l->regret_pct) ? -1 : l->regret_pct;
    const double right_pct = isnan(r->regret_pct) ? -1 : r->regret_pct;
    if (left_pct != right_pct)
        return left_pct < right_pct ? 1 : -1;
    return (l > r) - (l < r);
}

const struct regret_cell **regret_worst(const struct regret *regret,
                                        size_t *count)
{
    const struct regret_cell **worst = memory_for(regret->count, sizeof *worst);
    *count = 0;
    for (size_t k = 0; k < regret->count; ++k)
        if (!refused(&regret->cells[k]))
            worst[(*count)++] = &regret->cells[k];
    qsort(worst, *count, sizeof *worst, worst_first);
    return worst;
}
