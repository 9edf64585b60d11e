/* SPDX-License-Identifier: MIT
 *
 * Order statistics of samples, and Student's distribution.
 * Quantiles interpolate linearly between order statistics ("type 7": R.
 * Hyndman, Y. Fan, Sample Quantiles in Statistical Packages, 1996; the default
 * of R and NumPy), so the median of an even count is the mean of the middle
 * two.
 *
 * The interval of the median assumes nothing of the distribution: each sample
 * is below the median with probability 1/2 at most, so the ranks come from the
 * binomial distribution (W. R. Thompson, 1936; W. Conover, Practical
 * Nonparametric Statistics, section 3.2). Drift within the sample widens it.
 * Differences between processes are not in it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Fewer samples never settle. */
enum { STATS_LEAST_SAMPLES = 10 };

struct stats {
    size_t count;
    double min, q1, median, q3, max; /* NaN if count is 0 */
    double ci_low, ci_high;          /* of the median, at 95 % or more; min and
                                        max of fewer than six samples, which
                                        cannot reach 95 % */
};

static inline int int64_order(int64_t left, int64_t right)
{
    return (left > right) - (left < right);
}

/* The order of two doubles, for qsort(). */
int stats_ascending(const void *left, const void *right);

/* Sorts the samples in place; none may be NaN. */
struct stats stats_of(double *samples, size_t count);

/* The quantile at `fraction` of sorted samples, which may be infinite. */
double stats_quantile(const double *sorted, size_t count, double fraction);

/* The 95 % interval of the median is sorted[cut] to sorted[count - 1 - cut];
 * exact for every count, and never too short. */
size_t stats_ci_cut(size_t count);

/* There are at least STATS_LEAST_SAMPLES, and the interval lies within
 * ±relative_half_width of the median. A check after every sample stops a little
 * early in lucky moments, as test_stats_ci.c measures. */
bool stats_settled(const double *sorted, size_t count,
                   double relative_half_width);

/* Student's t, two-sided, for whole degrees of freedom: finite sums, exact up
 * to rounding (Abramowitz, Stegun, Handbook, 26.7.3 and 26.7.4). */

/* The probability that |T| is above t >= 0; t may be infinite. */
double student_p(double t, size_t degrees);

/* The t that |T| exceeds with probability p, in (0, 1). */
double student_t(double p, size_t degrees);
