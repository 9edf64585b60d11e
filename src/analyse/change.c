/* SPDX-License-Identifier: MIT */
#include "src/analyse/change.h"

#include <math.h>

#include "src/base/stats.h"

const struct change change_unknown = { NAN, NAN, NAN, 1 };

double change_per_process(const struct timing *base, const struct timing *now)
{
    return 1 / (double)base->processes + 1 / (double)now->processes;
}

struct change change_of(const struct timing *base, const struct timing *now)
{
    const double n = (double)base->processes, m = (double)now->processes;
    const double log_ratio = now->log_mean - base->log_mean;
    const double own =
        base->own_variances / (n * n) + now->own_variances / (m * m);
    /* One process a side: as if the samples' interval had been drawn from a
     * thousand. */
    const size_t degrees = n + m > 2 ? (size_t)(n + m) - 2 : 1000;
    const double between = n + m > 2 ? (base->log_squares + now->log_squares) /
                                           (double)degrees *
                                           change_per_process(base, now)
                                     : NAN;
    const double error = sqrt(fmax(between, own)); /* fmax: not NaN */
    if (isnan(error))
        return (struct change){ exp(log_ratio), 0, INFINITY, 1 };
    const double half = student_t(0.05, degrees) * error;
    return (struct change){
        exp(log_ratio), exp(log_ratio - half), exp(log_ratio + half),
        log_ratio == 0 ? 1 : student_p(fabs(log_ratio) / error, degrees)
    };
}

bool change_is_noise(const struct change *change)
{
    return !(change->low > 1 || change->high < 1);
}
