/* SPDX-License-Identifier: MIT */
#include "cli/common/commands.h"

#include "cli/common/options_parts.h"
#include "cli/common/page.h"
#include "cli/common/runs.h"
#include "cli/rules/regret_parts.h"
#include "src/base/exit_status.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const enum regret_quantile most_of[REGRET_MOST] = { REGRET_P90,
                                                           REGRET_P99 },
                                  least_of[REGRET_LEAST] = { REGRET_P5,
                                                             REGRET_P25,
                                                             REGRET_P50 };

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

static bool regret_within(const struct regret *regret,
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

/* ------------------------------------------------------------ the command */

static int conclude(const struct published *set, const struct rules *rules,
                    const struct regret_options *options)
{
    struct regret regret = { 0 };
    const struct filter *filter = &options->filter;
    const struct regret_scope scope = { .variant = options->variant,
                                        .rules = rules,
                                        .ops = filter->ops,
                                        .dtypes = filter->dtypes,
                                        .caches = filter->caches
                                                      ? filter->caches
                                                      : 1u << CACHE_COLD };
    int status = EXIT_NOTHING;
    for (size_t k = 0; k < set->count; ++k)
        regret_add(&regret, &set->run[k]);
    regret_judge(&regret, &scope);
    if (regret.count) {
        regret_print(&regret, rules ? rules->name : options->variant,
                     (enum regret_format)options->format, (size_t)options->top);
        status =
            regret_within(&regret, &options->limits) ? EXIT_OK : EXIT_WRONG;
    } else {
        fprintf(stderr,
                "scanbench: no cell of '%s' there: name another with "
                "--variant\n",
                options->variant);
    }
    regret_free(&regret);
    return status;
}

int regret_command(int argc, char **argv)
{
    static struct regret_options options;
    struct words words;
    struct published set = { 0 };
    struct rules rules = { .count = 0 };
    int status;
    options = (struct regret_options){
        .variant = "best",
        .top = 10,
        .limits = { { NAN, NAN }, { NAN, NAN, NAN }, NAN }
    };
    if (!command_parse(COMMAND_REGRET, argc, argv, &options, &words, &status))
        return status;
    if (options.rules && !page_read_rules(options.rules, &rules))
        return EXIT_BAD;
    status = published_read(&set, words.word, words.count)
                 ? conclude(&set, options.rules ? &rules : NULL, &options)
                 : EXIT_BAD;
    rules_free(&rules);
    published_free(&set);
    return status;
}
