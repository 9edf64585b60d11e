/* SPDX-License-Identifier: MIT
 *
 * The medians of one cell in the fresh processes of a run, on the logarithm:
 * their geometric mean, and how they scatter. Samples of one process agree
 * with each other better than two processes do (clocks, heat and the place of
 * the buffers are drawn once a process), so the process is the unit.
 */
#ifndef SRC_RUNS_TIMING_H
#define SRC_RUNS_TIMING_H

#include <stddef.h>

/* Starts as { 0 }. */
struct timing {
    size_t processes;
    double log_mean;
    double log_squares;   /* sum of the squared distances from the mean */
    double own_variances; /* sum of what the processes' own intervals say */
};

/* One process's median and its 95 % interval, microseconds. low and high are
 * NaN where they are unknown; an interval that does not hold the median is
 * unknown, too. */
void timing_add(struct timing *timing, double median_us, double low_us,
                double high_us);

/* The geometric mean of the medians, microseconds; NaN without a process. */
double timing_us(const struct timing *timing);

/* Standard deviation of the logarithm of one process's median, between
 * processes; NaN with fewer than two. */
double timing_sd(const struct timing *timing);

#endif
