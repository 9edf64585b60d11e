/* SPDX-License-Identifier: MIT
 *
 * Reads the rows of a run's <op>.csv for what compares them. What is damaged
 * is left out and reported, line by line, and the rest is kept.
 */
#ifndef SRC_RUNS_RUN_ROW_H
#define SRC_RUNS_RUN_ROW_H

#include "src/runs/listener.h"
#include "src/runs/row.h"
#include "src/runs/texts.h"

/* Of a row what is made of it: compared, tabled, ranked. Texts are never NULL,
 * and equal ones of one run are one; unknown numbers are NaN, unknown counts
 * -1. */
struct run_row {
    enum op op;
    enum dtype dtype;
    enum cache cache;
    enum status status;
    struct shape shape;
    int64_t process, samples, discarded;
    double median_us, low_us, high_us; /* with the median's 95 % interval */
    double min_us, q1_us, q3_us, max_us;
    double launch_us; /* the shorter of the two verified launches */
    double gbps, ceiling_gbps, pct_ceiling, passes;
    double max_err, err_bound;
    int64_t bytes, ranks; /* ranks: as many in all of a run; none: -1 */
    double exchange_us;
    const char *variant, *family, *reason, *marks, *throttle;
    int64_t line; /* where it stood */
};

/* Starts as { 0 }. */
struct run_rows {
    struct run_row *row;
    size_t count, room;
    size_t damaged; /* lines or files that were left out */
    struct texts texts;
};

/* Appends a file's rows. A file that is not there is none; one that cannot be
 * read, or lacks a column that is needed, is reported and left out; which
 * others are missing is reported. */
void run_rows_read(struct run_rows *rows, const char *path,
                   const struct listener *listener);

/* Sorts by cell (run_cell_order) and process. A process that stands twice keeps
 * the order of its lines. */
void run_rows_sort(struct run_rows *rows);

void run_rows_free(struct run_rows *rows);

/* Orders rows by operation, type, shape, cache and variant: 0 means the same
 * cell. The first four are what variants compete in, run_group_order(). */
int run_group_order(const struct run_row *left, const struct run_row *right);
int run_cell_order(const struct run_row *left, const struct run_row *right);

/* The same, and of one cell by process. */
int run_row_order(const struct run_row *left, const struct run_row *right);

/* Verified and timed: ok or suspect, with a time. */
bool run_row_timed(const struct run_row *row);

#endif
