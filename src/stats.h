/* SPDX-License-Identifier: MIT
 *
 * Order statistics of a sample. Quantiles interpolate linearly between order
 * statistics ("type 7": R. Hyndman, Y. Fan, Sample Quantiles in Statistical
 * Packages, 1996; what R, NumPy and spreadsheets do unasked), so the median of
 * an even count is the mean of the middle two.
 */
#ifndef SRC_STATS_H
#define SRC_STATS_H

#include <stddef.h>

struct stats {
    size_t count;
    double min, q1, median, q3, max; /* NaN where count is 0 */
};

/* Sorts the samples in place; none may be NaN. */
struct stats stats_of(double *samples, size_t count);

/* The quantile at `fraction`, in [0, 1], of samples in ascending order. */
double stats_quantile(const double *sorted, size_t count, double fraction);

#endif
