/* SPDX-License-Identifier: MIT */
#include "src/judge/aa_floor.h"

#include <math.h>
#include <stdlib.h>

#include "src/judge/pair_limits.h"
#include "src/base/stats.h"

/* Other floors than the common ones hold here: it is short, or it and its like
 * scatter more than twice as much as a typical cell. */
static bool covered(const struct comparison *comparison,
                    const struct pair *pair)
{
    const struct timing *base = &pair->base.timing, *now = &pair->now.timing;
    struct limits own = pair_limits(comparison, pair);
    own.aa = NAN;
    struct limits common = own;
    common.kin = 2 * own.drift;
    common.near = NAN;
    common.absolute_us = 0;
    return change_floor(base, now, &own) > change_floor(base, now, &common);
}

struct aa_floor aa_floor_of(const struct comparison *comparison)
{
    struct aa_floor aa = { 0 };
    double *apart = malloc((comparison->count + 1) * sizeof *apart);
    if (!apart)
        abort();
    for (size_t p = 0; p < comparison->count; ++p) {
        const struct pair *pair = &comparison->pairs[p];
        if (!pair_timed(pair))
            continue;
        if (covered(comparison, pair)) {
            ++aa.left_out;
            continue;
        }
        double ratio = pair->change.ratio;
        apart[aa.cells++] = fmax(ratio, 1 / ratio) - 1;
    }
    struct stats stats = stats_of(apart, aa.cells);
    aa.p50 = stats.median;
    aa.p95 = stats_quantile(apart, aa.cells, 0.95);
    aa.p99 = stats_quantile(apart, aa.cells, 0.99);
    aa.max = stats.max;
    aa.floor = aa.p99 / 2;
    free(apart);
    return aa;
}
