/* SPDX-License-Identifier: MIT */
#include "src/analyse/standing.h"

#include "src/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool standing_calls_others(const struct row *row)
{
    return strcmp(row->variant, "best") == 0;
}

bool standing_timed(const struct run_cell *cell)
{
    return cell->us > 0;
}

bool standing_firm(const struct run_cell *cell)
{
    return standing_timed(cell) && cell->status == STATUS_OK;
}

int standing_order(const struct run_cell *left, const struct run_cell *right)
{
    const int firm = standing_firm(right) - standing_firm(left);
    return firm ? firm : (left->us > right->us) - (left->us < right->us);
}

double standing_arm(const struct run_cell *cell)
{
    const double processes = (double)cell->timing.processes;
    const double own = sqrt(cell->timing.own_variances) / processes;
    return 1.96 * fmax(own, timing_sd(&cell->timing) / sqrt(processes));
}

bool standing_tied(const struct run_cell *left, const struct run_cell *right)
{
    const double apart = fabs(log(left->us / right->us));
    const double arm = hypot(standing_arm(left), standing_arm(right));
    return apart == 0 || apart <= arm;
}

/* Of one group, by time; equals in their own order. */
static int by_time(const void *left, const void *right)
{
    const struct run_cell *l = *(const struct run_cell *const *)left;
    const struct run_cell *r = *(const struct run_cell *const *)right;
    const int order = standing_order(l, r);
    return order ? order : (l > r) - (l < r);
}

static int by_family(const void *left, const void *right)
{
    const struct run_cell *l = *(const struct run_cell *const *)left;
    const struct run_cell *r = *(const struct run_cell *const *)right;
    const int order = strcmp(l->row->family, r->row->family);
    return order ? order : by_time(left, right);
}

/* What has a time, of what calls others or of the rest. */
static size_t timed_ones(struct run_cell *group, size_t count, bool callers,
                         struct run_cell **own)
{
    size_t timed = 0;
    for (size_t k = 0; k < count; ++k)
        if (standing_timed(&group[k]) &&
            standing_calls_others(group[k].row) == callers)
            own[timed++] = &group[k];
    return timed;
}

/* Ranks the families' best points of one group; `own` has room for all. */
static void rank_group(struct run_cell *group, size_t count,
                       struct run_cell **own)
{
    size_t best = 0, timed = timed_ones(group, count, false, own);
    if (!timed)
        timed = timed_ones(group, count, true, own);
    qsort(own, timed, sizeof *own, by_family);
    for (size_t k = 0; k < timed; ++k)
        if (best == 0 ||
            strcmp(own[best - 1]->row->family, own[k]->row->family) != 0)
            own[best++] = own[k];
    qsort(own, best, sizeof *own, by_time);
    for (size_t k = 0; k < best; ++k) {
        own[k]->rank = (int)k + 1;
        own[k]->tied = standing_tied(own[k], own[0]);
    }
}

struct run_cell *standing_make(const struct run_folder *run, size_t *count)
{
    const size_t rows = run->rows.count;
    struct run_cell *all = memory_for(rows, sizeof *all);
    struct run_cell **room = memory_for(rows, sizeof *room);
    size_t begin = 0;
    *count = 0;
    for (size_t r = 0, cell; r < rows; r += cell) {
        cell = rows - r;
        all[*count] = run_cell_of(&run->rows.row[r], &cell);
        if (run_group_order(all[begin].row, all[*count].row)) {
            rank_group(&all[begin], *count - begin, room);
            begin = *count;
        }
        ++*count;
    }
    if (*count)
        rank_group(&all[begin], *count - begin, room);
    free(room);
    return all;
}
