/* SPDX-License-Identifier: MIT */
#include "src/judge/launch_cost.h"

#include <math.h>
#include <stdlib.h>

#include "src/base/stats.h"

enum { FEWEST_CELLS = 20 };

static bool one_short_kernel(const struct pair *pair, enum cache cache)
{
    return pair_timed(pair) && pair->base.row->cache == cache &&
           run_cell_marked(&pair->base, "near_empty") &&
           run_cell_marked(&pair->now, "near_empty") &&
           pair->base.row->passes <= 1;
}

static double moved_us(const struct comparison *comparison, enum cache cache)
{
    double *moved = malloc((comparison->count + 1) * sizeof *moved);
    size_t cells = 0;
    if (!moved)
        abort();
    for (size_t p = 0; p < comparison->count; ++p) {
        const struct pair *pair = &comparison->pairs[p];
        if (one_short_kernel(pair, cache))
            moved[cells++] =
                timing_us(&pair->now.timing) - timing_us(&pair->base.timing);
    }
    const double median =
        cells < FEWEST_CELLS ? NAN : stats_of(moved, cells).median;
    free(moved);
    return median;
}

void launch_cost_set(struct comparison *comparison,
                     const struct run_folder *base,
                     const struct run_folder *now)
{
    static const char *const keys[CACHE_COUNT] = {
        [CACHE_COLD] = "empty_us", [CACHE_HOT] = "empty_hot_us"
    };
    for (int c = 0; c < CACHE_COUNT; ++c) {
        comparison->launch_us[c] = fmax(run_fact_number(base, keys[c]),
                                        run_fact_number(now, keys[c])) /
                                   3;
        comparison->moved_us[c] = moved_us(comparison, (enum cache)c);
    }
}

double launch_cost_floor(const struct comparison *comparison,
                         const struct pair *pair)
{
    const enum cache cache = pair->base.row->cache;
    const double passes =
        fmax(pair->base.row->passes, pair->now.row->passes); /* not NaN */
    const double moved = (1 + passes) * fabs(comparison->moved_us[cache]);
    if (run_cell_marked(&pair->base, "near_empty") ||
        run_cell_marked(&pair->now, "near_empty"))
        return fmax(comparison->launch_us[cache], moved);
    return moved;
}
