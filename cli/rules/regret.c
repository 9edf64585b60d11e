/* SPDX-License-Identifier: MIT */
#include "cli/rules/regret.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/options_parts.h"
#include "cli/common/page.h"
#include "cli/common/published.h"
#include "cli/rules/regret_parts.h"
#include "src/base/exit_status.h"

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
    options = (struct regret_options){ .variant = "best",
                                       .top = 10,
                                       .limits = regret_any };
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
