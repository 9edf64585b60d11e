/* SPDX-License-Identifier: MIT */
#include "src/runs/timing.h"

#include <math.h>

/* The longer arm of an interval is what it would be on both sides. */
static double own_variance(double median_us, double low_us, double high_us)
{
    if (!(low_us > 0 && low_us <= median_us && high_us >= median_us))
        return NAN;
    double arm = fmax(log(median_us / low_us), log(high_us / median_us));
    return arm / 1.96 * (arm / 1.96);
}

void timing_add(struct timing *timing, double median_us, double low_us,
                double high_us)
{
    double x = log(median_us), off = x - timing->log_mean;
    timing->processes += 1;
    timing->log_mean += off / (double)timing->processes;
    timing->log_squares += off * (x - timing->log_mean);
    timing->own_variances += own_variance(median_us, low_us, high_us);
}

double timing_us(const struct timing *timing)
{
    return timing->processes ? exp(timing->log_mean) : NAN;
}

double timing_sd(const struct timing *timing)
{
    return timing->processes > 1
               ? sqrt(timing->log_squares / (double)(timing->processes - 1))
               : NAN;
}
