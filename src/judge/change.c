/* SPDX-License-Identifier: MIT */
#include "src/judge/change.h"

#include <math.h>

#include "src/base/stats.h"

const char *change_verdict_name(enum change_verdict verdict)
{
    static const char *const names[VERDICT_COUNT] = {
        [VERDICT_BROKEN] = "broken",         [VERDICT_SLOWER] = "slower",
        [VERDICT_UNCLEAR] = "unclear",       [VERDICT_FASTER] = "faster",
        [VERDICT_UNMEASURED] = "unmeasured", [VERDICT_NONE] = "no_verdict",
        [VERDICT_UNCHANGED] = "unchanged",
    };
    return names[verdict];
}

/* 97.5 % quantile of Student's t. Beyond the table the series' second term is
 * enough, and errs to the wide side. */
static double student(size_t degrees)
{
    static const double table[] = {
        12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
        2.201,  2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
        2.080,  2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
    };
    const size_t rows = sizeof table / sizeof *table;
    if (degrees == 0)
        return 1.96;
    return degrees <= rows ? table[degrees - 1] : 1.96 + 2.46 / (double)degrees;
}

size_t timing_scatter(const struct timing *base, const struct timing *now,
                      double *variance)
{
    size_t all = base->processes + now->processes;
    size_t degrees = all > 2 && base->processes && now->processes ? all - 2 : 0;
    *variance = degrees
                    ? (base->log_squares + now->log_squares) / (double)degrees
                    : NAN;
    return degrees;
}

double timing_drift(double *variances, size_t count, double degrees)
{
    /* Wilson and Hilferty: the median of chi squared over its mean. */
    double skew = pow(1 - 2 / (9 * degrees), 3);
    return count ? sqrt(stats_of(variances, count).median / skew) : NAN;
}

/* Launches that a difference's variance is divided by. */
static double per_launch(const struct timing *base, const struct timing *now)
{
    return 1 / (double)base->processes + 1 / (double)now->processes;
}

/* Half the interval of the logarithm; infinite where nothing tells. */
static double half_width(const struct timing *base, const struct timing *now)
{
    double n = (double)base->processes, m = (double)now->processes;
    double own = base->own_variances / (n * n) + now->own_variances / (m * m);
    double scatter;
    size_t degrees = timing_scatter(base, now, &scatter);
    if (!degrees && isnan(own))
        return INFINITY;
    /* fmax() passes over a NaN. */
    return student(degrees) * sqrt(fmax(scatter * per_launch(base, now), own));
}

double change_floor(const struct timing *base, const struct timing *now,
                    const struct limits *limits)
{
    const double error = sqrt(per_launch(base, now)); /* of one launch's 1 */
    /* Of the shorter time, so that faster is slower mirrored. */
    double us = fmin(timing_us(base), timing_us(now));
    double least = fmax(limits->relative, limits->absolute_us / us);
    least = fmax(least, 3 * limits->aa);
    least = fmax(least, 3 * limits->drift * error);
    least = fmax(least, 4 * limits->kin * error);
    const double start = limits->near_us / us;
    if (!(limits->near > 0 && start > LIMIT_START_LEAST)) /* or unknown */
        return least;
    return fmax(least, fmin(4 * limits->near * error, start));
}

struct change change_of(const struct timing *base, const struct timing *now,
                        const struct limits *limits)
{
    const double log_ratio = now->log_mean - base->log_mean;
    const double half = half_width(base, now);
    const bool blind = isnan(limits->drift) && isnan(limits->aa);
    const double least = change_floor(base, now, limits);
    const double limit = blind ? fmax(least, LIMIT_DRIFT_UNKNOWN) : least;
    /* What others scatter forbids to cry wolf; it proves nothing unchanged. */
    struct limits common = *limits;
    common.kin = common.near = NAN;
    const double far = log1p(limit);
    const double close = log1p(change_floor(base, now, &common));
    struct change change = { .ratio = exp(log_ratio),
                             .low = exp(log_ratio - half),
                             .high = exp(log_ratio + half),
                             .limit = limit,
                             .verdict = VERDICT_UNCLEAR };
    if (log_ratio > far && log_ratio - half > 0)
        change.verdict = VERDICT_SLOWER;
    else if (log_ratio < -far && log_ratio + half < 0)
        change.verdict = VERDICT_FASTER;
    else if (fabs(log_ratio) + half <= close)
        change.verdict = VERDICT_UNCHANGED;
    return change;
}
