/* SPDX-License-Identifier: MIT */
#include "src/base/histogram.h"

#include <math.h>

#include "src/base/stats.h"

/* Beyond the median by so many times the distance of the quartiles. */
static const double far = 6;

struct histogram histogram_of(double *samples, size_t count)
{
    const struct stats stats = stats_of(samples, count);
    struct histogram histogram = { .low = stats.min, .most = stats.max };
    histogram.high =
        fmin(stats.max, stats.median + far * (stats.q3 - stats.q1));
    const double width = (histogram.high - histogram.low) / HISTOGRAM_BINS;
    for (size_t k = 0; k < count; ++k) {
        const double place =
            width > 0 ? (samples[k] - histogram.low) / width : 0;
        const size_t bin = (size_t)fmin(place, HISTOGRAM_BINS - 1);
        if (++histogram.count[bin] > histogram.fullest)
            histogram.fullest = histogram.count[bin];
    }
    return histogram;
}

char *histogram_strip(const struct histogram *histogram, char *text)
{
    static const char steps[] = " .:-=+*#@";
    const size_t last = sizeof steps - 2;
    for (int k = 0; k < HISTOGRAM_BINS; ++k) /* rounded up: none is ' ' alone */
        text[k] = steps[(histogram->count[k] * last + histogram->fullest - 1) /
                        histogram->fullest];
    text[HISTOGRAM_BINS] = '\0';
    return text;
}
