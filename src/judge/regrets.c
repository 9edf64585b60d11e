/* SPDX-License-Identifier: MIT */
#include "src/judge/regrets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/memory.h"
#include "src/base/stats.h"

const int regret_quantiles[REGRET_QUANTILES] = {
    5, 25, 50, 75, 90, 95, 99, 100
};

/* Of a cell that may not have been timed. */
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

static void judge(struct regret_cell *cell)
{
    const struct run_cell *winner = &cell->winner;
    cell->class = shape_class_of(cell->own.row->shape);
    cell->us = time_of(&cell->own);
    cell->regret_pct = cell->share_pct = cell->winner_share_pct = NAN;
    if (winner->row) {
        cell->winner_share_pct = winner->pct_ceiling;
        cell->regret_pct = fmax(cell->us / winner->us - 1, 0) * 100;
        cell->share_pct = winner->pct_ceiling * (winner->us / cell->us);
    }
    if (standing_timed(&cell->own))
        cell->share_pct = cell->own.pct_ceiling;
}

static bool is_there(const struct regret *regret, size_t count,
                     const struct run_row *row)
{
    bool there = false;
    for (size_t k = 0; k < count && !there; ++k)
        there = run_group_order(regret->cells[k].own.row, row) == 0;
    return there;
}

static void push(struct regret *regret, struct regret_cell cell)
{
    if (regret->count == regret->room) {
        regret->room = regret->room ? 2 * regret->room : 64;
        regret->cells =
            memory_grown(regret->cells, regret->room, sizeof *regret->cells);
    }
    judge(&cell);
    regret->cells[regret->count++] = cell;
}

static bool wants(const struct regret_scope *scope, const struct run_row *row)
{
    return (!scope->ops || scope->ops & OP_BIT(row->op)) &&
           (!scope->dtypes || scope->dtypes & DTYPE_BIT(row->dtype)) &&
           (!scope->caches || scope->caches & 1u << row->cache);
}

/* Which variants are looked for at a problem, the one that counts first. */
struct wanted {
    const char *names[RULES_RANKED];
    int count;
};

static struct wanted wanted_at(const struct regret_scope *scope,
                               const struct run_row *row)
{
    struct wanted wanted = { { scope->variant }, 1 };
    const struct rules_variant *ranked[RULES_RANKED];
    if (scope->rules)
        wanted.count = rules_rank(scope->rules, row->op, row->dtype, row->shape,
                                  NULL, ranked);
    for (int k = 0; scope->rules && k < wanted.count; ++k)
        wanted.names[k] = ranked[k]->name;
    return wanted;
}

/* Takes the cell if it comes before those met; rules pass over what refuses. */
static void meet(struct wanted *wanted, const struct regret_scope *scope,
                 const struct run_cell *cell, struct run_cell *own)
{
    for (int k = 0; k < wanted->count; ++k)
        if (strcmp(cell->row->variant, wanted->names[k]) == 0 &&
            !(scope->rules && cell->status == STATUS_SKIP)) {
            *own = *cell;
            wanted->count = k;
        }
}

void regret_add(struct regret *regret, const struct run_folder *run,
                const struct regret_scope *scope)
{
    const struct run_row *rows = run->rows.row;
    const size_t count = run->rows.count, before = regret->count;
    for (size_t r = 0; r < count;) {
        const struct run_row *group = &rows[r];
        struct regret_cell found = { 0 };
        struct wanted wanted = wanted_at(scope, group);
        for (size_t cell; r < count && run_group_order(group, &rows[r]) == 0;
             r += cell) {
            cell = count - r;
            const struct run_cell now = run_cell_of(&rows[r], &cell);
            meet(&wanted, scope, &now, &found.own);
            if (standing_timed(&now) &&
                (!found.winner.row || standing_order(&now, &found.winner) < 0))
                found.winner = now;
        }
        if (found.own.row && wants(scope, group) &&
            !is_there(regret, before, group))
            push(regret, found);
    }
}

void regret_free(struct regret *regret)
{
    free(regret->cells);
    *regret = (struct regret){ 0 };
}

bool regret_refused(const struct regret_cell *cell)
{
    return cell->own.status == STATUS_SKIP;
}

bool regret_untimed(const struct regret_cell *cell)
{
    return !regret_refused(cell) && !standing_timed(&cell->own);
}

bool regret_low(const struct regret_cell *cell)
{
    return regret_untimed(cell) ||
           (!regret_refused(cell) && cell->share_pct < REGRET_LOW_PCT);
}

/* -------------------------------------------------------------- quantiles */

static int ascending(const void *left, const void *right)
{
    const double l = *(const double *)left, r = *(const double *)right;
    return (l > r) - (l < r);
}

/* Between a number and infinity, linearly, lies infinity. */
static double quantile(const double *sorted, size_t count, double fraction)
{
    size_t finite = count;
    while (finite && isinf(sorted[finite - 1]))
        --finite;
    if (fraction * (double)(count - 1) > (double)finite - 1)
        return INFINITY;
    return stats_quantile(sorted, count, fraction);
}

static void set_quantiles(double *numbers, size_t count,
                          double quantiles[REGRET_QUANTILES])
{
    qsort(numbers, count, sizeof *numbers, ascending);
    for (int q = 0; q < REGRET_QUANTILES; ++q)
        quantiles[q] =
            count ? quantile(numbers, count, regret_quantiles[q] / 100.0) : NAN;
}

static size_t keep(double *numbers, size_t count, double number)
{
    if (!isnan(number))
        numbers[count++] = number;
    return count;
}

struct regret_summary regret_summarise(const struct regret *regret, enum op op,
                                       enum dtype dtype, enum shape_class class)
{
    struct regret_summary summary = { 0 };
    double *numbers = memory_for(3 * regret->count, sizeof *numbers);
    double *regrets = numbers, *shares = numbers + regret->count;
    double *winners = shares + regret->count;
    size_t regret_count = 0, share_count = 0, winner_count = 0;
    for (size_t k = 0; k < regret->count; ++k) {
        const struct regret_cell *cell = &regret->cells[k];
        const struct run_row *row = cell->own.row;
        if (row->op != op || row->dtype != dtype ||
            (class != SHAPE_CLASS_COUNT && cell->class != class))
            continue;
        summary.refused += regret_refused(cell);
        summary.untimed += regret_untimed(cell);
        summary.low += regret_low(cell);
        if (regret_refused(cell))
            continue;
        ++summary.cells;
        regret_count = keep(regrets, regret_count, cell->regret_pct);
        share_count = keep(shares, share_count, cell->share_pct);
        winner_count = keep(winners, winner_count, cell->winner_share_pct);
    }
    set_quantiles(regrets, regret_count, summary.regret_pct);
    set_quantiles(shares, share_count, summary.share_pct);
    set_quantiles(winners, winner_count, summary.winner_share_pct);
    free(numbers);
    return summary;
}

/* ------------------------------------------------------------------ worst */

/* What has no winner comes last; equals in their own order. */
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
        if (!regret_refused(&regret->cells[k]))
            worst[(*count)++] = &regret->cells[k];
    qsort(worst, *count, sizeof *worst, worst_first);
    return worst;
}
