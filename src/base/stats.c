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
    if (between == 0) /* sorted[below] may be the last */
        return sorted[below];
    if (isinf(sorted[below + 1])) /* infinity minus infinity is no number */
        return sorted[below + 1];
    return sorted[below] + between * (sorted[below + 1] - sorted[below]);
}

/* Adds up P(X < k), with X binomial of n trials at 1/2, until it exceeds half
 * of 5 %; in logarithms, as 2^-n underflows. */
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

bool stats_settled(const double *sorted, size_t count,
                   double relative_half_width)
{
    if (count < STATS_LEAST_SAMPLES)
        return false;
    const double median = stats_quantile(sorted, count, 0.5);
    const double most = relative_half_width * fabs(median);
    const size_t cut = stats_ci_cut(count);
    return median - sorted[cut] <= most &&
           sorted[count - 1 - cut] - median <= most;
}

struct stats stats_of(double *samples, size_t count)
{
    if (count > 1)
        qsort(samples, count, sizeof *samples, stats_ascending);
    const size_t cut = stats_ci_cut(count);
    return (struct stats){
        .count = count,
        .min = stats_quantile(samples, count, 0),
        .q1 = stats_quantile(samples, count, 0.25),
        .median = stats_quantile(samples, count, 0.5),
        .q3 = stats_quantile(samples, count, 0.75),
        .max = stats_quantile(samples, count, 1),
        .ci_low = count ? samples[cut] : NAN,
        .ci_high = count ? samples[count - 1 - cut] : NAN,
    };
}

/* ------------------------------------------------- Student's distribution */

double student_p(double t, size_t degrees)
{
    const double pi = 3.14159265358979323846;
    const double angle = atan(t / sqrt((double)degrees));
    const double square = cos(angle) * cos(angle);
    const size_t odd = degrees % 2;
    /* Odd: cos + 2/3 cos^3 + 2/3 4/5 cos^5 …; even: 1 + 1/2 cos^2 + …. */
    double term = odd ? cos(angle) : 1, sum = degrees > 1 ? term : 0;
    for (size_t k = odd + 2; k < degrees; k += 2) {
        term *= square * (double)(k - 1) / (double)k;
        sum += term;
    }
    const double within =
        odd ? 2 / pi * (angle + sin(angle) * sum) : sin(angle) * sum;
    return fmax(0, 1 - within);
}

static double bisected(double p, size_t degrees)
{
    double low = 0, high = 1;
    while (student_p(high, degrees) > p)
        high *= 2;
    for (int step = 0; step < 60; ++step) {
        const double middle = (low + high) / 2;
        *(student_p(middle, degrees) > p ? &low : &high) = middle;
    }
    return high;
}

double student_t(double p, size_t degrees)
{
    /* A comparison of a million cells needs the t of a few degrees, and one
     * bisection adds up 60 series of degrees / 2 terms. */
    static _Thread_local struct {
        double p, t;
        size_t degrees;
    } kept[64];
    const size_t at = degrees % (sizeof kept / sizeof *kept);
    if (kept[at].p != p || kept[at].degrees != degrees) {
        kept[at].t = bisected(p, degrees);
        kept[at].p = p;
        kept[at].degrees = degrees;
    }
    return kept[at].t;
}
