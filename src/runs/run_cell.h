/* SPDX-License-Identifier: MIT
 *
 * One side of a comparison's cell: what all launches of a run say of it.
 */
#ifndef SRC_RUNS_RUN_CELL_H
#define SRC_RUNS_RUN_CELL_H

#include "src/judge/change.h"
#include "src/runs/run_folder.h"

/* One cell of one run: its launches. */
enum { RUN_CELL_MARKS_BYTES = 96 };
struct run_cell {
    const struct run_row *row; /* the first launch; NULL: not in this run */
    size_t rows;
    enum status status; /* the worst of the launches; ok or suspect: timed */
    const char *reason; /* of that launch, or "" */
    char marks[RUN_CELL_MARKS_BYTES]; /* of all launches, joined by '+' */
    struct timing timing;             /* of the launches that were timed */
    double pct_ceiling;               /* mean of the same; NaN: unknown */
};

/* The side of a cell whose launches begin at rows[0]; *count holds the number
 * of rows that are left, and comes back as the number of launches. */
struct run_cell run_cell_of(const struct run_row *rows, size_t *count);
bool run_cell_timed(const struct run_cell *side);
/* Ended in a timeout or an error, or was wrong. */
bool run_cell_failed(const struct run_cell *side);
bool run_cell_near_empty(const struct run_cell *side); /* marked so */
const char *
run_cell_marks(const struct run_cell *side); /* to print: or "none" */

#endif
