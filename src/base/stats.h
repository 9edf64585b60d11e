/* SPDX-License-Identifier: MIT
 *
 * Order statistics of a sample. Quantiles interpolate linearly between order
 * statistics ("type 7": R. Hyndman, Y. Fan, Sample Quantiles in Statistical
 * Packages, 1996; what R, NumPy and spreadsheets do unasked), so the median of
 * an even count is the mean of the middle two.
 *
 * The median's interval asks nothing of the distribution: however it is
 * shaped, each sample is below the median with probability 1/2 at most, so the
 * ranks come from the binomial distribution (W. R. Thompson, 1936; W. Conover,
 * Practical Nonparametric Statistics, section 3.2). Drift within the sample
 * only widens it; what it cannot know of is that the next process may draw
 * from elsewhere.
 */
#ifndef SRC_BASE_STATS_H
#define SRC_BASE_STATS_H

#include <stdbool.h>
#include <stddef.h>

/* Fewer samples never settle. */
enum { STATS_LEAST_SAMPLES = 10 };

struct stats {
    size_t count;
    double min, q1, median, q3, max; /* NaN where count is 0 */
    double ci_low, ci_high;          /* of the median, at 95 % or more; with
                                        fewer than six samples, which cannot
                                        reach that, min and max */
};

/* The order of two doubles, for qsort(). */
int stats_ascending(const void *left, const void *right);

/* Sorts the samples in place; none may be NaN. */
struct stats stats_of(double *samples, size_t count);

/* The quantile at `fraction`, in [0, 1], of samples in ascending order, linear
 * between them; between a number and infinity lies infinity. */
double stats_quantile(const double *sorted, size_t count, double fraction);

/* How many order statistics the median's 95 % interval leaves out on either
 * side: it goes from sorted[cut] to sorted[count - 1 - cut]. Exact for every
 * count, and never too short. */
size_t stats_ci_cut(size_t count);

/* Enough samples: there are STATS_LEAST_SAMPLES, and the interval lies within
 * ±relative_half_width (0.005: half a per cent) of the median. Asking after
 * every sample stops a little early in lucky moments; the tests say how
 * little. */
bool stats_settled(const double *sorted, size_t count,
                   double relative_half_width);

#endif
