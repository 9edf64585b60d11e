/* SPDX-License-Identifier: MIT
 *
 * A cell: what the processes of a run say of one variant at one problem. Every
 * table, chart, ladder, rule and comparison takes its times from here.
 */
#ifndef SRC_RUNS_RUN_CELL_H
#define SRC_RUNS_RUN_CELL_H

#include "src/runs/run_rows.h"

/* The medians of a cell's processes on a logarithmic scale. Samples of one
 * process agree with each other better than two processes do, because clocks,
 * heat and the place of the buffers are drawn once a process, so the process is
 * the unit. Starts as { 0 }. */
struct timing {
    size_t processes;
    double log_mean;
    double log_squares;   /* sum of the squared distances from the mean */
    double own_variances; /* sum of what the processes' own intervals say */
};

/* Adds one process's median and its 95 % interval, microseconds. An interval
 * that is NaN, or does not hold the median, is unknown. */
void timing_add(struct timing *timing, double median_us, double low_us,
                double high_us);

/* The geometric mean of the medians, microseconds; NaN without a process. */
double timing_us(const struct timing *timing);

/* Standard deviation of the logarithm of the medians between processes; NaN
 * with fewer than two. */
double timing_sd(const struct timing *timing);

/* The time comes from the processes that timed the cell soundly (ok or
 * suspect), or else from the unstable ones. There is none if a process failed
 * (timeout, error, wrong). Rates are geometric means over the same processes,
 * NaN if one of those lacks it. */
struct run_cell {
    const struct row *row;  /* the first process; NULL if not in this run */
    size_t rows;            /* processes that have a row */
    size_t sound, unstable; /* of them: ok or suspect; unstable */
    size_t dropped;         /* of them: not in the time that others gave */
    enum status status;     /* the gravest of the processes' */
    const char *reason;     /* of the first process with it, or "" */
    unsigned marks;         /* of all processes */
    struct timing timing;
    struct timing over_ceiling; /* of 100 / pct_ceiling: how many times as long
                                   as the ceiling would take */
    double us, gbps, ceiling_gbps, pct_ceiling, exchange_us;
    int rank;  /* set by standing_make() */
    bool tied; /* likewise */
};

/* The cell whose rows begin at rows[0], in run_rows_sort()'s order. *count
 * holds the number of rows that are left, and becomes that of the cell's. */
struct run_cell run_cell_of(const struct row *rows, size_t *count);

/* Has a time that can be judged: sound in one process at least, and failed in
 * none. */
bool run_cell_timed(const struct run_cell *cell);

#endif
