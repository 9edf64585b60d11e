/* SPDX-License-Identifier: MIT */
#include "src/choose/learner.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/csv.h"
#include "src/base/hash.h"
#include "src/base/memory.h"
#include "src/runs/run_cell.h"

/* A winner that `best` leaves so far behind (as a share) called something
 * that no run has measured there by itself. */
#define LEFT_BEHIND 0.1

/* What has rules: scans, sum, flip. */
static bool has_rules(enum op op)
{
    return op_is_scan(op) || op == OP_SUM || op == OP_FLIP;
}

static void prepare(struct learner *learner)
{
    while (learner->points[learner->point_count].name)
        ++learner->point_count;
    learner->fails =
        memory_for((size_t)learner->point_count * OP_COUNT, sizeof(bool));
}

static struct learner_cell *new_cell(struct learner *learner,
                                     const struct row *row)
{
    const size_t points = (size_t)learner->point_count;
    if (learner->count == learner->room) {
        learner->room = learner->room ? 2 * learner->room : 256;
        learner->cells =
            memory_grown(learner->cells, learner->room, sizeof *learner->cells);
        learner->tellers = memory_grown(
            learner->tellers, learner->room * points, sizeof *learner->tellers);
    }
    struct learner_cell *cell = &learner->cells[learner->count];
    *cell = (struct learner_cell){ .op = row->op,
                                   .dtype = row->dtype,
                                   .shape = row->shape,
                                   .best = NAN,
                                   .winner = -1,
                                   .loss = memory_grown(NULL, points, 4) };
    for (size_t p = 0; p < points; ++p) {
        cell->loss[p] = LEARNER_UNKNOWN;
        learner->tellers[learner->count * points + p] = NULL;
    }
    ++learner->count;
    return cell;
}

/* Rows of a run come problem by problem, so that this is asked seldom. */
static struct learner_cell *cell_of(struct learner *learner,
                                    const struct row *row)
{
    for (size_t c = learner->count; c-- > 0;) {
        struct learner_cell *cell = &learner->cells[c];
        if (cell->op == row->op && cell->dtype == row->dtype &&
            shape_equal(cell->shape, row->shape))
            return cell;
    }
    return new_cell(learner, row);
}

/* Until all runs are there `loss` holds the log of the time itself, shifted to
 * be above 0: a share of 10 000 % of the ceiling would be 0. */
static int32_t log_time(double pct_ceiling)
{
    return (int32_t)lround(log(10000 / fmin(pct_ceiling, 9999)) / LEARNER_UNIT);
}

static void enter_point(struct learner *learner, struct learner_cell *cell,
                        int point, const struct run_cell *measured)
{
    if (run_cell_timed(measured) && measured->pct_ceiling > 0)
        cell->loss[point] = log_time(measured->pct_ceiling);
    else if (measured->status == STATUS_SKIP)
        cell->loss[point] = LEARNER_REFUSES;
    else if (measured->status == STATUS_WRONG ||
             measured->status == STATUS_ERROR)
        learner->fails[(int)cell->op * learner->point_count + point] = true;
    else
        cell->loss[point] = LEARNER_SLOW;
}

static void enter(struct learner *learner, struct learner_cell *cell,
                  const struct run_cell *measured, const char *run)
{
    const struct row *row = measured->row;
    if (strcmp(row->variant, "best") == 0) {
        if (isnan(cell->best) && run_cell_timed(measured))
            cell->best = 100 / measured->pct_ceiling;
        return;
    }
    /* What was not tried says nothing of its time: it was predicted from other
     * shapes, and a kernel beside it may be near the winner. */
    const int point = catalogue_find(learner->points, row->op, row->variant);
    if (point < 0 || measured->status == STATUS_UNTRIED)
        return;
    const char **teller = &learner->tellers[(size_t)(cell - learner->cells) *
                                                (size_t)learner->point_count +
                                            (size_t)point];
    if (!*teller)
        enter_point(learner, cell, point, measured);
    *teller = run;
    if (!cell->run)
        cell->run = run;
}

void learner_add(struct learner *learner, const struct run_folder *run,
                 const char *name)
{
    const struct row *group = NULL;
    struct learner_cell *cell = NULL;
    if (!learner->fails)
        prepare(learner);
    for (size_t r = 0, count; r < run->rows.count; r += count) {
        count = run->rows.count - r;
        const struct run_cell measured = run_cell_of(&run->rows.row[r], &count);
        const struct row *row = measured.row;
        if (!has_rules(row->op) || row->cache != CACHE_COLD || row->passes != 1)
            continue;
        if (!group || run_group_order(group, row))
            cell = cell_of(learner, row);
        group = row;
        enter(learner, cell, &measured, name);
    }
}

/* Who ran alone has not won, and neither has whom `best` left far behind. If
 * best follows a bad rule, it cannot tell: a run should have more variants
 * than those that are expected to win. */
static void judge_cell(struct learner *learner, struct learner_cell *cell)
{
    const bool *fails = &learner->fails[(int)cell->op * learner->point_count];
    int met = 0, winner = -1;
    for (int p = 0; p < learner->point_count; ++p)
        if (fails[p] && cell->loss[p] != LEARNER_REFUSES)
            cell->loss[p] = LEARNER_UNKNOWN;
    for (int p = 0; p < learner->point_count; ++p)
        if (cell->loss[p] >= 0) {
            ++met;
            if (winner < 0 || cell->loss[p] < cell->loss[winner])
                winner = p;
        }
    if (winner < 0)
        return;
    const int32_t least = cell->loss[winner];
    const double time = exp(least * LEARNER_UNIT) / 100;
    for (int p = 0; p < learner->point_count; ++p)
        if (cell->loss[p] >= 0)
            cell->loss[p] -= least;
    if (met > 1 && !(cell->best * (1 + LEFT_BEHIND) < time))
        cell->winner = winner;
}

/* Of a line, or where lines are strided of what lies between two elements. */
static int64_t line_bytes(const struct learner_cell *cell)
{
    return (int64_t)dtype_bytes(cell->dtype) *
           (cell->shape.inner > 1 ? cell->shape.inner : cell->shape.axis);
}

/* Those that are near each other together: src/choose/rules.c looks for them.
 */
static int by_problem(const void *left, const void *right)
{
    const struct learner_cell *l = left, *r = right;
    const int left_kind = op_is_scan(l->op) ? -1 : (int)l->op;
    const int right_kind = op_is_scan(r->op) ? -1 : (int)r->op;
    if (left_kind != right_kind)
        return left_kind < right_kind ? -1 : 1;
    if ((l->shape.inner > 1) != (r->shape.inner > 1))
        return l->shape.inner > 1 ? 1 : -1;
    if (line_bytes(l) != line_bytes(r))
        return line_bytes(l) < line_bytes(r) ? -1 : 1;
    if (l->op != r->op)
        return l->op < r->op ? -1 : 1;
    if (l->dtype != r->dtype)
        return l->dtype < r->dtype ? -1 : 1;
    if (l->shape.outer != r->shape.outer)
        return l->shape.outer < r->shape.outer ? -1 : 1;
    if (l->shape.axis != r->shape.axis)
        return l->shape.axis < r->shape.axis ? -1 : 1;
    return (l->shape.inner > r->shape.inner) -
           (l->shape.inner < r->shape.inner);
}

void learner_judge(struct learner *learner)
{
    for (size_t c = 0; c < learner->count; ++c)
        judge_cell(learner, &learner->cells[c]);
    if (learner->count)
        qsort(learner->cells, learner->count, sizeof *learner->cells,
              by_problem);
}

bool learner_trusts(const struct learner_cell *cell)
{
    return cell->winner >= 0;
}

void learner_free(struct learner *learner)
{
    for (size_t c = 0; c < learner->count; ++c)
        free(learner->cells[c].loss);
    free(learner->cells);
    free(learner->fails);
    free(learner->tellers);
    *learner = (struct learner){ 0 };
}

/* --------------------------------------------------------------- as rules */

/* What nowhere came so near to the fastest, in per cent, is not listed. */
#define IN_SIGHT_PCT 25.

/* A written loss, in per cent, is at most this. */
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

/* The losses as a line of rules has them. */
static void list_losses(const struct learner *learner,
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
    for (int k = 0; k < count && k < RULES_LOSSES; ++k)
        fprintf(file, "%s%d=%.3g", k ? " " : "", listed[k].number,
                round(1000 * expm1(listed[k].loss * LEARNER_UNIT)) / 10);
    free(listed);
}

static void write_cell(const struct learner *learner,
                       const struct learner_cell *cell, const int *number,
                       FILE *file)
{
    char *losses;
    size_t bytes;
    FILE *text = memory_open(&losses, &bytes);
    list_losses(learner, cell, number, text);
    memory_close(text, &losses);
    csv_write_field(file, true, "problem");
    csv_write_field(file, false, op_name(cell->op));
    csv_write_field(file, false, dtype_name(cell->dtype));
    csv_write_integer(file, false, cell->shape.outer);
    csv_write_integer(file, false, cell->shape.axis);
    csv_write_integer(file, false, cell->shape.inner);
    csv_write_field(file, false, losses);
    csv_write_end(file);
    free(losses);
}

static bool in_sight(const struct learner *learner, int point)
{
    for (size_t c = 0; c < learner->count; ++c) {
        const int32_t loss = learner->cells[c].loss[point];
        if (learner_trusts(&learner->cells[c]) && loss >= 0 &&
            loss * LEARNER_UNIT < log1p(IN_SIGHT_PCT / 100))
            return true;
    }
    return false;
}

/* The points' numbers: one a name, from 0 on; -1: not listed. */
static void write_names(const struct learner *learner, int *number, FILE *file)
{
    int count = 0;
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
        csv_write_field(file, true, "variant");
        csv_write_integer(file, false, number[p]);
        csv_write_field(file, false, learner->points[p].name);
        csv_write_end(file);
    }
}

int learner_fold(const struct learner_cell *cell)
{
    const int64_t extents[] = { cell->shape.outer, cell->shape.axis,
                                cell->shape.inner };
    return (int)(hash_bytes(HASH_START, extents, sizeof extents) >> 33) %
           LEARNER_FOLDS;
}

void learner_write(const struct learner *learner, int left_out, FILE *file)
{
    int *number = memory_for((size_t)learner->point_count, sizeof *number);
    write_names(learner, number, file);
    for (size_t c = 0; c < learner->count; ++c)
        if (learner_trusts(&learner->cells[c]) &&
            learner_fold(&learner->cells[c]) != left_out)
            write_cell(learner, &learner->cells[c], number, file);
    free(number);
}

int learner_choice(const struct learner *learner, const struct rules *rules,
                   const struct learner_cell *cell)
{
    const struct rules_variant *ranked[RULES_RANKED];
    const int count =
        rules_rank(rules, cell->op, cell->dtype, cell->shape, ranked);
    for (int k = 0; k < count; ++k) {
        const int point =
            catalogue_find(learner->points, cell->op, ranked[k]->name);
        if (point >= 0 && cell->loss[point] != LEARNER_REFUSES)
            return point;
    }
    return -1;
}
