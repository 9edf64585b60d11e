/* SPDX-License-Identifier: MIT
 *
 * What the processes of a run say of a cell: the one answer, which every
 * table, chart, ladder, rule and comparison takes.
 */
#ifndef SRC_RUNS_RUN_CELL_H
#define SRC_RUNS_RUN_CELL_H

#include "src/runs/run_row.h"
#include "src/runs/timing.h"

/* The time is that of the processes that timed the cell soundly (ok or
 * suspect). Where none did, it is that of the unstable ones; where one failed
 * (timeout, error, wrong), there is none. The rates are geometric means over
 * the same processes, so that pct_ceiling is gbps / ceiling_gbps of the cell
 * as it is of a row; NaN if one of those processes lacks it. */
enum { RUN_CELL_MARKS_BYTES = 96 };
struct run_cell {
    const struct run_row *row; /* the first process; NULL: not in this run */
    size_t rows;               /* processes that have a row */
    size_t sound, unstable;    /* of them: ok or suspect; unstable */
    size_t dropped;            /* of them: not in the time that others gave */
    enum status status;        /* the gravest of the processes' */
    const char *reason;        /* of the first process with it, or "" */
    char marks[RUN_CELL_MARKS_BYTES]; /* of all processes, joined by '+' */
    struct timing timing;             /* of the processes that give the time */
    struct timing over_ceiling; /* likewise, of 100 / pct_ceiling: how many
                                   times as long as the ceiling would take */
    double us, gbps, ceiling_gbps, pct_ceiling; /* NaN: unknown */
    double exchange_us; /* of runs over ranks; likewise */
};

/* The cell whose rows begin at rows[0], in run_rows_sort()'s order; *count
 * holds the number of rows that are left, and comes back as the cell's. */
struct run_cell run_cell_of(const struct run_row *rows, size_t *count);

/* Verified and timed in one sound process at least, and failed in none: the
 * time can be judged. */
bool run_cell_timed(const struct run_cell *cell);
/* Ended in a timeout or an error, or was wrong, in one process at least. */
bool run_cell_failed(const struct run_cell *cell);
bool run_cell_marked(const struct run_cell *cell, const char *mark);
/* To print: the marks, or "none". */
const char *run_cell_marks(const struct run_cell *cell);

#endif
