/* SPDX-License-Identifier: MIT
 *
 * Whether choosing costs more than is allowed, and where.
 */
#include <math.h>
#include <stdio.h>

#include "cli/rules/regret_parts.h"

static const enum regret_quantile most_of[REGRET_MOST] = { REGRET_P90,
                                                           REGRET_P99 },
                                  least_of[REGRET_LEAST] = { REGRET_P5,
                                                             REGRET_P25,
                                                             REGRET_P50 };

const struct regret_limits regret_any = { .most = { NAN, NAN },
                                          .least = { NAN, NAN, NAN },
                                          .most_low = NAN };

static void say_where(enum op op, enum dtype dtype)
{
    fprintf(stderr, "scanbench: %s %s: ", op_name(op), dtype_name(dtype));
}

/* An operation's and type's, which has cells. A share that is unknown is
 * below any. */
static bool within(enum op op, enum dtype dtype,
                   const struct regret_summary *all,
                   const struct regret_limits *limits)
{
    bool ok = true;
    for (int k = 0; k < REGRET_MOST; ++k) {
        const double pct = all->regret_pct[most_of[k]];
        if (!(pct > limits->most[k]))
            continue;
        say_where(op, dtype);
        fprintf(stderr,
                "the %dth percentile of the regret is %.3g %%, above %g %%\n",
                regret_quantiles[most_of[k]], pct, limits->most[k]);
        ok = false;
    }
    for (int k = 0; k < REGRET_LEAST; ++k) {
        const double pct = all->share_pct[least_of[k]];
        if (isnan(limits->least[k]) || pct >= limits->least[k])
            continue;
        say_where(op, dtype);
        fprintf(stderr,
                "the %dth percentile of the share is %.3g %%, below %g %%\n",
                regret_quantiles[least_of[k]], pct, limits->least[k]);
        ok = false;
    }
    return ok;
}

/* Of how many cells of all operations and types; `low` has those of each. */
static bool low_within(size_t low[OP_COUNT][DTYPE_COUNT], double most)
{
    size_t all = 0;
    for (int k = 0; k < OP_COUNT * DTYPE_COUNT; ++k)
        all += low[k / DTYPE_COUNT][k % DTYPE_COUNT];
    if (!((double)all > most))
        return true;
    fprintf(stderr, "scanbench: %zu cells are low, more than %g\n", all, most);
    for (int k = 0; k < OP_COUNT * DTYPE_COUNT; ++k) {
        const size_t count = low[k / DTYPE_COUNT][k % DTYPE_COUNT];
        if (!count)
            continue;
        say_where((enum op)(k / DTYPE_COUNT), (enum dtype)(k % DTYPE_COUNT));
        fprintf(stderr, "%zu of them\n", count);
    }
    return false;
}

bool regret_within(const struct regret *regret,
                   const struct regret_limits *limits)
{
    size_t low[OP_COUNT][DTYPE_COUNT];
    bool ok = true;
    for (int o = 0; o < OP_COUNT; ++o)
        for (int d = 0; d < DTYPE_COUNT; ++d) {
            const enum op op = (enum op)o;
            const enum dtype dtype = (enum dtype)d;
            const struct regret_summary all =
                regret_summarise(regret, op, dtype, SHAPE_CLASS_COUNT);
            low[o][d] = all.low;
            if (all.cells)
                ok &= within(op, dtype, &all, limits);
        }
    return low_within(low, limits->most_low) && ok;
}
