/* SPDX-License-Identifier: MIT */
#include "src/judge/standing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool standing_calls_others(const struct run_row *row)
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

/* Ranks the families' best points of one group. */
static void rank_group(struct standing *group, size_t count)
{
    const struct standing *first = NULL;
    for (size_t k = 0; k < count; ++k) {
        struct standing *own = &group[k];
        bool best =
            standing_timed(&own->cell) && !standing_calls_others(own->cell.row);
        for (size_t j = 0; j < count && best; ++j) {
            const int order = standing_order(&group[j].cell, &own->cell);
            best = j == k || !standing_timed(&group[j].cell) ||
                   strcmp(group[j].cell.row->family, own->cell.row->family) ||
                   order > 0 || (order == 0 && j > k);
        }
        own->rank = best;
    }
    for (size_t k = 0; k < count; ++k)
        for (size_t j = 0; group[k].rank && j < count; ++j) {
            const int order = standing_order(&group[j].cell, &group[k].cell);
            group[k].rank +=
                group[j].rank && (order < 0 || (order == 0 && j < k));
        }
    for (size_t k = 0; k < count; ++k)
        if (group[k].rank == 1)
            first = &group[k];
    for (size_t k = 0; k < count; ++k)
        group[k].tied =
            group[k].rank && standing_tied(&group[k].cell, &first->cell);
}

struct standing *standing_make(const struct run_folder *run, size_t *count)
{
    const size_t rows = run->rows.count;
    struct standing *all = calloc(rows ? rows : 1, sizeof *all);
    size_t begin = 0;
    if (!all)
        abort();
    *count = 0;
    for (size_t r = 0, cell; r < rows; r += cell) {
        cell = rows - r;
        all[*count].cell = run_cell_of(&run->rows.row[r], &cell);
        if (run_group_order(all[begin].cell.row, all[*count].cell.row)) {
            rank_group(&all[begin], *count - begin);
            begin = *count;
        }
        ++*count;
    }
    if (*count)
        rank_group(&all[begin], *count - begin);
    return all;
}
