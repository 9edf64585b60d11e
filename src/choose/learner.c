/* SPDX-License-Identifier: MIT */
#include "src/choose/learner.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/hash.h"
#include "src/base/memory.h"
#include "src/runs/run_cell.h"

/* A loss before learner_judge(): the variant was wrong, or failed. */
enum { FAILED = -4 };

/* If `best` is faster than the winner by more than this fraction, it called a
 * variant that no run measured at the problem. */
#define LEFT_BEHIND 0.1

/* Returns the row's problem, which is added if it is new. */
static struct learner_cell *cell_of(struct learner *learner,
                                    const struct row *row)
{
    for (size_t c = learner->count; c-- > 0;) {
        struct learner_cell *cell = &learner->cells[c];
        if (cell->op == row->op && cell->dtype == row->dtype &&
            shape_equal(cell->shape, row->shape))
            return cell;
    }
    learner->cells =
        memory_more(learner->cells, learner->count, sizeof *learner->cells);
    struct learner_cell *cell = &learner->cells[learner->count++];
    const struct shape shape = row->shape;
    const bool strided = shape.inner > 1;
    const int64_t line = strided ? shape.inner : shape.axis;
    *cell = (struct learner_cell){
        .op = row->op,
        .dtype = row->dtype,
        .shape = shape,
        .key = { op_is_scan(row->op) ? -1 : op_index(row->op), strided,
                 line * (int64_t)dtype_bytes(row->dtype), op_index(row->op),
                 row->dtype, shape.outer, shape.axis, shape.inner },
        .best = NAN,
        .winner = -1,
        .loss = memory_for((size_t)learner->point_count, sizeof *cell->loss)
    };
    for (int p = 0; p < learner->point_count; ++p)
        cell->loss[p] = LEARNER_UNKNOWN;
    return cell;
}

/* Before learner_judge(), a loss is the logarithm of the time over the
 * ceiling's time, positive up to 10 000 % of the ceiling. */
static int32_t loss_of(const struct run_cell *measured)
{
    const double pct = measured->pct_ceiling;
    if (run_cell_timed(measured) && pct > 0)
        return (int32_t)lround(log(10000 / fmin(pct, 9999)) / LEARNER_UNIT);
    if (measured->status == STATUS_WRONG || measured->status == STATUS_ERROR)
        return FAILED;
    return measured->status == STATUS_SKIP ? LEARNER_REFUSES : LEARNER_SLOW;
}

/* Untried variants stay unknown: their times were only predicted. */
static void enter(const struct learner *learner, struct learner_cell *cell,
                  const struct run_cell *measured)
{
    const struct row *row = measured->row;
    if (strcmp(row->variant, "best") == 0) {
        if (isnan(cell->best) && run_cell_timed(measured))
            cell->best = 100 / measured->pct_ceiling;
        return;
    }
    const int point = catalogue_find(learner->points, row->op, row->variant);
    if (point < 0 || measured->status == STATUS_UNTRIED)
        return;
    if (cell->loss[point] == LEARNER_UNKNOWN)
        cell->loss[point] = loss_of(measured);
}

void learner_add(struct learner *learner, const struct run_folder *run)
{
    const struct row *group = NULL;
    struct learner_cell *cell = NULL;
    learner->point_count = 0;
    while (learner->points[learner->point_count].name)
        ++learner->point_count;
    for (size_t r = 0, count; r < run->rows.count; r += count) {
        count = run->rows.count - r;
        const struct run_cell measured = run_cell_of(&run->rows.row[r], &count);
        const struct row *row = measured.row;
        if (rules_kind(row->op) < 0 || row->cache != CACHE_COLD ||
            row->passes != 1 || shape_is_ragged(row->shape))
            continue;
        if (!group || run_group_order(group, row))
            cell = cell_of(learner, row);
        group = row;
        enter(learner, cell, &measured);
    }
}

/* The fastest variant does not count as the winner if it was measured alone, or
 * if `best` is faster by LEFT_BEHIND. As `best` may follow a bad rule, a run
 * should measure more variants than those that are expected to win. */
static void judge_cell(const struct learner *learner, const bool *fails,
                       struct learner_cell *cell)
{
    int met = 0, winner = -1;
    for (int p = 0; p < learner->point_count; ++p) {
        if (fails[p] && cell->loss[p] != LEARNER_REFUSES)
            cell->loss[p] = LEARNER_UNKNOWN;
        if (cell->loss[p] < 0)
            continue;
        ++met;
        if (winner < 0 || cell->loss[p] < cell->loss[winner])
            winner = p;
    }
    if (winner < 0)
        return;
    const int32_t least = cell->loss[winner];
    for (int p = 0; p < learner->point_count; ++p)
        if (cell->loss[p] >= 0)
            cell->loss[p] -= least;
    if (met > 1 &&
        !(cell->best * (1 + LEFT_BEHIND) < exp(least * LEARNER_UNIT) / 100))
        cell->winner = winner;
}

static int by_key(const void *left, const void *right)
{
    const struct learner_cell *l = left, *r = right;
    for (int k = 0; k < LEARNER_KEYS; ++k)
        if (l->key[k] != r->key[k])
            return l->key[k] < r->key[k] ? -1 : 1;
    return 0;
}

void learner_judge(struct learner *learner)
{
    const size_t points = (size_t)learner->point_count;
    bool *fails[OPS_MOST]; /* [point]: it failed anywhere */
    for (int op = 0; op < OPS_MOST; ++op)
        fails[op] = memory_for(points, sizeof **fails);
    for (size_t c = 0; c < learner->count; ++c)
        for (size_t p = 0; p < points; ++p)
            fails[op_index(learner->cells[c].op)][p] |=
                learner->cells[c].loss[p] == FAILED;
    for (size_t c = 0; c < learner->count; ++c)
        judge_cell(learner, fails[op_index(learner->cells[c].op)],
                   &learner->cells[c]);
    if (learner->count)
        qsort(learner->cells, learner->count, sizeof *learner->cells, by_key);
    for (int op = 0; op < OPS_MOST; ++op)
        free(fails[op]);
}

void learner_free(struct learner *learner)
{
    for (size_t c = 0; c < learner->count; ++c)
        free(learner->cells[c].loss);
    free(learner->cells);
    *learner = (struct learner){ 0 };
}

/* --------------------------------------------------------------- as rules */

/* A listed variant loses less than this somewhere, per cent. */
#define IN_SIGHT_PCT 25.

/* Larger losses are written as this, per cent. */
#define MOST_PCT 80.

struct listed {
    int number;
    int32_t loss;
};

static int by_loss(const void *left, const void *right)
{
    const struct listed *l = left, *r = right;
    if (l->loss != r->loss)
        return l->loss < r->loss ? -1 : 1;
    return (l->number > r->number) - (l->number < r->number);
}

static void write_cell(const struct learner *learner,
                       const struct learner_cell *cell, const int *number,
                       FILE *file)
{
    const int32_t most = (int32_t)(log1p(MOST_PCT / 100) / LEARNER_UNIT);
    struct listed *listed =
        memory_for((size_t)learner->point_count, sizeof *listed);
    int count = 0;
    for (int p = 0; p < learner->point_count; ++p) {
        int32_t loss = cell->loss[p];
        if (loss == LEARNER_SLOW || loss > most)
            loss = most;
        if (loss >= 0 && number[p] >= 0)
            listed[count++] = (struct listed){ number[p], loss };
    }
    qsort(listed, (size_t)count, sizeof *listed, by_loss);
    fprintf(file, "problem,%s,%s,%lld,%lld,%lld", op_name(cell->op),
            dtype_name(cell->dtype), (long long)cell->shape.outer,
            (long long)cell->shape.axis, (long long)cell->shape.inner);
    for (int k = 0; k < count && k < RULES_LOSSES; ++k)
        fprintf(file, "%c%d=%.3g", k ? ' ' : ',', listed[k].number,
                round(1000 * expm1(listed[k].loss * LEARNER_UNIT)) / 10);
    fputc('\n', file);
    free(listed);
}

static bool in_sight(const struct learner *learner, int point)
{
    for (size_t c = 0; c < learner->count; ++c) {
        const int32_t loss = learner->cells[c].loss[point];
        if (learner->cells[c].winner >= 0 && loss >= 0 &&
            loss * LEARNER_UNIT < log1p(IN_SIGHT_PCT / 100))
            return true;
    }
    return false;
}

int learner_fold(struct shape shape)
{
    const int64_t extents[] = { shape.outer, shape.axis, shape.inner };
    return 1 + (int)(hash_bytes(HASH_START, extents, sizeof extents) >> 33) %
                   LEARNER_FOLDS;
}

void learner_write(const struct learner *learner, int left_out, FILE *file)
{
    int *number = memory_for((size_t)learner->point_count, sizeof *number);
    int count = 0;
    /* Points of one name share a number; one that is not listed gets -1. */
    for (int p = 0; p < learner->point_count; ++p) {
        number[p] = -1;
        if (!in_sight(learner, p))
            continue;
        for (int q = 0; q < p && number[p] < 0; ++q)
            if (strcmp(learner->points[q].name, learner->points[p].name) == 0)
                number[p] = number[q];
        if (number[p] >= 0)
            continue;
        number[p] = count++;
        fprintf(file, "variant,%d,%s\n", number[p], learner->points[p].name);
    }
    for (size_t c = 0; c < learner->count; ++c)
        if (learner->cells[c].winner >= 0 &&
            learner_fold(learner->cells[c].shape) != left_out)
            write_cell(learner, &learner->cells[c], number, file);
    free(number);
}
