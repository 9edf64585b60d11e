/* SPDX-License-Identifier: MIT
 *
 * Who is ahead in a group of cells: the variants of one operation, type, shape
 * and cache state.
 */
#ifndef SRC_ANALYSE_STANDING_H
#define SRC_ANALYSE_STANDING_H

#include "src/runs/run_cell.h"
#include "src/runs/run_folder.h"

/* `best`, which only calls other variants: it is ranked where nothing else has
 * a time. */
bool standing_calls_others(const struct row *row);

/* Has a time, a doubtful one perhaps; or one to be taken at its word. */
bool standing_timed(const struct run_cell *cell);
bool standing_firm(const struct run_cell *cell);

/* Orders timed cells: the firm before the others, however fast those are, and
 * the faster first. */
int standing_order(const struct run_cell *left, const struct run_cell *right);

/* Half the 95 % interval of the cell's time, as a share: of how the processes
 * scatter, or of what their samples say if that is more. NaN: unknown. */
double standing_arm(const struct run_cell *cell);

/* Within noise of each other: the interval of their ratio has 1 in it. */
bool standing_tied(const struct run_cell *left, const struct run_cell *right);

/* All cells of a run, in run_rows_sort()'s order, with ranks; for free(). Each
 * family of a group is ranked by its best point, from 1. The rank is 0 for the
 * family's other points, for what has no time, and for `best` beside others.
 * Ranked cells are tied if they are within noise of the first. */
struct run_cell *standing_make(const struct run_folder *run, size_t *count);

#endif
