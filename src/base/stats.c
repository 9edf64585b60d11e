/* SPDX-License-Identifier: MIT */
#include "src/base/stats.h"

#include <math.h>
#include <stdlib.h>

int stats_ascending(const void *left, const void *right)
{
    double l = *(const double *)left, r = *(const double *)right;
    return (l > r) - (l < r);
}

double stats_quantile(const double *sorted, size_t count, double fraction)
{
    if (count == 0)
        return NAN;
    double place = fraction * (double)(count - 1);
    size_t below = (size_t)place;
    double between = place - (double)below;
    if (between == 0) /* maybe the last; its step may be infinite, too */
        return sorted[below];
    if (isinf(sorted[below + 1])) /* whose step from infinity is no number */
        return sorted[below + 1];
    return sorted[below] + between * (sorted[below + 1] - sorted[below]);
}

/* P(X < k) for X binomial with n trials at 1/2, added up until it passes a
 * half of what may be missed; in logarithms, since 2^-n underflows. */
size_t stats_ci_cut(size_t count)
{
    const double miss = 0.05 / 2;
    double log_term = -(double)count * log(2), below = 0;
    size_t k = 0;
    for (; k < count / 2; ++k) {
        below += exp(log_term);
        if (below > miss)
            break;
        log_term += log((double)(count - k) / (double)(k + 1));
    }
    return k > 0 ? k - 1 : 0;
}

static double ci_low(const double *sorted, size_t count)
{
    return count ? sorted[stats_ci_cut(count)] : NAN;
}

static double ci_high(const double *sorted, size_t count)
{
    return count ? sorted[count - 1 - stats_ci_cut(count)] : NAN;
}

bool stats_settled(const double *sorted, size_t count,
                   double relative_half_width)
{
    if (count < STATS_LEAST_SAMPLES)
        return false;
    const double median = stats_quantile(sorted, count, 0.5);
    const double most = relative_half_width * fabs(median);
    return median - ci_low(sorted, count) <= most &&
           ci_high(sorted, count) - median <= most;
}

struct stats stats_of(double *samples, size_t count)
{
    if (count > 1)
        qsort(samples, count, sizeof *samples, stats_ascending);
    return (struct stats){
        .count = count,
        .min = stats_quantile(samples, count, 0),
        .q1 = stats_quantile(samples, count, 0.25),
        .median = stats_quantile(samples, count, 0.5),
        .q3 = stats_quantile(samples, count, 0.75),
        .max = stats_quantile(samples, count, 1),
        .ci_low = ci_low(samples, count),
        .ci_high = ci_high(samples, count),
    };
}
