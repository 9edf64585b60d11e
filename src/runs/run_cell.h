/* SPDX-License-Identifier: MIT
 *
 * A cell: the rows of all processes of a run for one variant at one problem.
 * Every table, chart, ladder, rule and comparison takes its times from here.
 */
#pragma once

#include "src/runs/row.h"

/* The medians of a cell's processes on a logarithmic scale. The process is the
 * unit, as clocks, heat and the place of the buffers differ between processes
 * more than within one. Starts as { 0 }. */
struct timing {
    size_t processes;
    double log_mean;
    double log_squares;   /* sum of the squared distances from the mean */
    double own_variances; /* sum of those of the processes' own intervals */
};

/* Adds the median of one process and its 95 % interval, microseconds. An
 * interval that is NaN or does not contain the median is unknown. */
void timing_add(struct timing *timing, double median_us, double low_us,
                double high_us);

/* Standard deviation of the medians' logarithm; NaN with fewer than two. */
double timing_sd(const struct timing *timing);

/* The time is that of the sound processes (ok or suspect), or else of the
 * unstable ones. There is none if a process failed (timeout, error, wrong).
 * Rates are geometric means over the same processes, NaN if one lacks it. */
struct run_cell {
    const struct row *row; /* the first process; NULL if not in this run */
    size_t rows;           /* processes that have a row */
    size_t sound;          /* processes that are ok or suspect */
    size_t dropped;        /* processes that are not in the time */
    enum status status;    /* the gravest of the processes' */
    const char *reason;    /* of the first process with it, or "" */
    unsigned marks;        /* of all processes, without contracts */
    struct timing timing;
    struct timing over_ceiling; /* of the time over the ceiling's */
    double us, gbps, ceiling_gbps, pct_ceiling;
    double max_err, err_bound; /* the largest of all processes */
    double key;                /* set by standing_make(), which ranks by it */
    int rank;                  /* likewise */
    bool tied;                 /* likewise */
};

/* The cell of rows[0], with rows in run_rows_sort()'s order. *count is the
 * number of rows, and becomes the number of the cell's rows. */
struct run_cell run_cell_of(const struct row *rows, size_t *count);

/* True if the time can be judged: some process is sound, none failed. */
bool run_cell_timed(const struct run_cell *cell);
