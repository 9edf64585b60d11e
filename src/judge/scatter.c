/* SPDX-License-Identifier: MIT */
#include "src/judge/scatter.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/judge/pair_limits.h"

static double typical(const struct comparison *comparison, bool shorts)
{
    double *variances = calloc(comparison->count + 1, sizeof *variances);
    double degrees = 0;
    size_t count = 0;
    for (size_t p = 0; variances && p < comparison->count; ++p) {
        const struct pair *pair = &comparison->pairs[p];
        double variance;
        if (!pair_timed(pair) || pair_short(comparison, pair) != shorts)
            continue;
        size_t own =
            timing_scatter(&pair->base.timing, &pair->now.timing, &variance);
        if (!own)
            continue;
        variances[count++] = variance;
        degrees += (double)own;
    }
    double drift = timing_drift(variances, count, degrees / (double)count);
    free(variances);
    return drift;
}

double scatter_typical(const struct comparison *comparison)
{
    const double drift = typical(comparison, false);
    return isnan(drift) ? typical(comparison, true) : drift;
}

static bool as_long(const struct pair *pair, const struct pair *other)
{
    const double ratio = pair_us(other) / pair_us(pair);
    return pair->base.row->cache == other->base.row->cache && ratio >= 0.5 &&
           ratio <= 2;
}

static bool same_variant(const struct pair *pair, const struct pair *other)
{
    return strcmp(pair->base.row->variant, other->base.row->variant) == 0;
}

static double kin_of(const struct comparison *comparison,
                     const struct pair *pair, bool variants)
{
    double squares = 0, degrees = 0;
    for (size_t p = 0; p < comparison->count; ++p) {
        const struct pair *other = &comparison->pairs[p];
        double variance;
        if (!pair_timed(other) || !as_long(pair, other) ||
            !(variants || same_variant(pair, other)))
            continue;
        const double own = (double)timing_scatter(
            &other->base.timing, &other->now.timing, &variance);
        if (own > 0) {
            squares += own * variance;
            degrees += own;
        }
    }
    return degrees > 0 ? sqrt(squares / degrees) : NAN;
}

void scatter_set_kin(struct comparison *comparison)
{
    for (size_t p = 0; p < comparison->count; ++p)
        if (pair_timed(&comparison->pairs[p])) {
            struct pair *pair = &comparison->pairs[p];
            pair->kin = kin_of(comparison, pair, false);
            pair->near = kin_of(comparison, pair, true);
        }
}
