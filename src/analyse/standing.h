/* SPDX-License-Identifier: MIT
 *
 * Ranks in groups of cells: the variants of one operation, type, shape and
 * cache state; and who leads each group and each class of groups.
 */
#pragma once

#include "src/choose/catalogue.h"
#include "src/runs/run_cell.h"
#include "src/runs/run_folder.h"

/* True for `best` and `best_monotone` and so on, which only call others. */
bool standing_calls_others(const struct row *row);

/* True if the cell has a time, which is doubtful unless the cell is firm: of
 * status ok. */
bool standing_timed(const struct run_cell *cell);
bool standing_firm(const struct run_cell *cell);

/* Orders timed cells of standing_make(): firm ones first, then by the key, then
 * by time. */
int standing_order(const struct run_cell *left, const struct run_cell *right);

/* Half the 95 % interval of the cell's time, as a share of it, from the scatter
 * of processes or, if larger, of their samples; NaN if unknown. */
double standing_arm(const struct run_cell *cell);

/* All cells of a run with ranks, in run_rows_sort()'s order; for free(). In a
 * group the families are ranked from 1 by their best points, and tied if within
 * noise of the first. Others have rank 0, and so has `best` beside a kernel of
 * the suite, which it may have called. */
struct run_cell *standing_make(const struct run_folder *run,
                               const struct catalogue_point *points,
                               size_t *count);

/* Ranks them again, by the largest error and then by time: a family by its most
 * accurate point, tied with the first if its error is the same. An unknown
 * error counts as infinite, and nothing is ranked where all are. */
void standing_by_error(struct run_cell *cells, size_t count,
                       const struct catalogue_point *points);

/* Returns the number of leading cells in the first one's group. */
size_t standing_group(const struct run_cell *cells, size_t count);

/* ------------------------------------------------------------------- leads */

struct lead {
    const struct run_cell *cells; /* the group's, in run_cell_order() */
    size_t count;
    const struct run_cell *first;   /* rank 1; NULL if nothing has a time */
    const struct run_cell *cub;     /* CUB's first, or NULL */
    const struct run_cell *fastest; /* the first, unless ranked by error */
    size_t tied;                    /* families tied with the first */
    size_t shapes, won; /* the class's, and those where it is first or tied */
};

/* One lead per group, each a class of its own, in run_group_order(); for
 * free(). They point into `all`, which is standing_make()'s. */
struct lead *leads_make(const struct run_cell *all, size_t count,
                        size_t *leads);

/* Keeps one lead per operation, type, cache state and class of shapes, at the
 * largest shape, if possible one with a time, or also one of CUB's. Returns
 * their number. */
size_t leads_by_class(struct lead *leads, size_t count);

/* The families that are tied with the first, k from 0 to tied - 1. */
const char *lead_tied(const struct lead *lead, size_t k);
