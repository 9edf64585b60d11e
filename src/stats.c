/* SPDX-License-Identifier: MIT */
#include "src/stats.h"

#include <math.h>
#include <stdlib.h>

static int ascending(const void *left, const void *right)
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
    return sorted[below] + between * (sorted[below + 1] - sorted[below]);
}

struct stats stats_of(double *samples, size_t count)
{
    if (count > 1)
        qsort(samples, count, sizeof *samples, ascending);
    return (struct stats){
        .count = count,
        .min = stats_quantile(samples, count, 0),
        .q1 = stats_quantile(samples, count, 0.25),
        .median = stats_quantile(samples, count, 0.5),
        .q3 = stats_quantile(samples, count, 0.75),
        .max = stats_quantile(samples, count, 1),
    };
}
