/* SPDX-License-Identifier: MIT */
#include "harness/cli/regret.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cli/options_parts.h"
#include "harness/cli/page.h"
#include "harness/cli/published.h"
#include "harness/cli/regret_parts.h"
#include "harness/cli/unknown_name.h"
#include "harness/tally.h"

static const char regret_help[] =
    "What choosing costs: over all shapes of a run, how much longer a variant\n"
    "takes than the fastest there, and the share of the ceiling it reaches.\n"
    "\n"
    "  scanbench regret RUN...                of `best`, which chooses\n"
    "  scanbench regret RUN... --variant V    of another variant\n"
    "  scanbench regret RUN... --rules FILE   of what these rules choose\n"
    "  scanbench regret RUN... --max-regret 5,20 --max-low 0\n"
    "\n"
    "RUN is a folder that `scanbench run` wrote, or a folder of such. If\n"
    "several runs have a variant at a problem, the newest counts. Times of\n"
    "several runs are compared as multiples of their own ceilings' times.\n"
    "\n"
    "      --variant V        the variant that is judged (default best)\n"
    "      --rules FILE       instead, what these rules rank first among the\n"
    "                         run's variants: judges rules without a GPU\n"
    "      --op A,B  --dtype A,B  --cache C,C (default cold)\n"
    "      --format F         text (default), markdown, csv (all quantiles),\n"
    "                         or cells (every cell, as CSV)\n"
    "      --top N            cells named of each kind, 0 for all (default\n"
    "                         10)\n"
    "      --max-regret A,B   exit 1 if the 90th percentile of an operation\n"
    "                         and type is above A per cent, or the 99th\n"
    "                         above B\n"
    "      --min-share A,B,C  exit 1 if the 5th percentile of the share of an\n"
    "                         operation and type is below A per cent, the\n"
    "                         25th below B, or the median below C\n"
    "      --max-low N        exit 1 if more than N cells are low\n"
    "  -h, --help\n"
    "\n"
    "low: too slow to be timed, or below 40 % of the ceiling. A cell that was\n"
    "too slow counts with the time of a verified launch, or as inf. What the\n"
    "variant refuses does not count. Classes of shape: docs/method.md.\n"
    "Exit status: 0; 1 more than was allowed; 2 usage or bad input; 77 no\n"
    "such cell.\n";

enum {
    OPT_REGRET_FORMAT = 1000,
    OPT_VARIANT,
    OPT_REGRET_RULES,
    OPT_REGRET_TOP,
    OPT_MAX_REGRET,
    OPT_MIN_SHARE,
    OPT_MAX_LOW
};

static const struct option known[] = {
    { "variant", required_argument, NULL, OPT_VARIANT },
    { "rules", required_argument, NULL, OPT_REGRET_RULES },
    { "format", required_argument, NULL, OPT_REGRET_FORMAT },
    { "top", required_argument, NULL, OPT_REGRET_TOP },
    { "max-regret", required_argument, NULL, OPT_MAX_REGRET },
    { "min-share", required_argument, NULL, OPT_MIN_SHARE },
    { "max-low", required_argument, NULL, OPT_MAX_LOW },
    { "op", required_argument, NULL, OPT_OP },
    { "dtype", required_argument, NULL, OPT_DTYPE },
    { "cache", required_argument, NULL, OPT_CACHE },
    { "help", no_argument, NULL, 'h' },
    { 0 }
};

struct regret_options {
    const char *variant;
    const char *rules; /* a file; NULL: the variant counts */
    enum regret_format format;
    size_t top;
    struct regret_limits limits;
    struct options select; /* of it ops, dtypes, caches */
};

/* ----------------------------------------------------------------- options */

/* Reads a number from 0 on up to `end`, and moves behind it. */
static bool take_number(const char **text, char end, double *number)
{
    char *behind;
    *number = strtod(*text, &behind);
    const bool ok = behind != *text && *behind == end && *number >= 0;
    *text = behind + 1;
    return ok;
}

static bool take_most(const char *text, double most[REGRET_MOST])
{
    const char *rest = text;
    return (take_number(&rest, ',', &most[0]) &&
            take_number(&rest, '\0', &most[1])) ||
           options_complain("--max-regret", text,
                            "it is two numbers, per cent, as in 5,20");
}

static bool take_least(const char *text, double least[REGRET_LEAST])
{
    const char *rest = text;
    return (take_number(&rest, ',', &least[0]) &&
            take_number(&rest, ',', &least[1]) &&
            take_number(&rest, '\0', &least[2])) ||
           options_complain("--min-share", text,
                            "it is three numbers, per cent, as in 80,90,95");
}

static bool take_count(const char *what, const char *text, double *count)
{
    const char *rest = text;
    return (take_number(&rest, '\0', count) && *count == floor(*count) &&
            *count < 1e9) ||
           options_complain(what, text, "it is a whole number from 0");
}

static bool take_format(const char *text, struct regret_options *options)
{
    static const char *const names[] = { [REGRET_TEXT] = "text",
                                         [REGRET_MARKDOWN] = "markdown",
                                         [REGRET_CSV] = "csv",
                                         [REGRET_CELLS] = "cells" };
    for (size_t k = 0; k < sizeof names / sizeof *names; ++k)
        if (strcmp(text, names[k]) == 0) {
            options->format = (enum regret_format)k;
            return true;
        }
    return options_complain("--format", text,
                            "it is text, markdown, csv or cells");
}

static bool take_option(int option, struct regret_options *options)
{
    double top;
    switch (option) {
    case OPT_VARIANT:
        options->variant = optarg;
        return true;
    case OPT_REGRET_RULES:
        options->rules = optarg;
        return true;
    case OPT_REGRET_FORMAT:
        return take_format(optarg, options);
    case OPT_REGRET_TOP:
        if (!take_count("--top", optarg, &top))
            return false;
        options->top = (size_t)top;
        return true;
    case OPT_MAX_REGRET:
        return take_most(optarg, options->limits.most);
    case OPT_MIN_SHARE:
        return take_least(optarg, options->limits.least);
    case OPT_MAX_LOW:
        return take_count("--max-low", optarg, &options->limits.most_low);
    }
    return options_take(option, optarg, &options->select);
}

/* False if the command should end with *status. */
static bool parse(int argc, char **argv, struct regret_options *options,
                  int *status)
{
    *options = (struct regret_options){ .variant = "best",
                                        .top = 10,
                                        .limits = regret_any };
    *status = EXIT_BAD;
    opterr = 0;
    optind = 2;
    bool ok = true;
    for (int option;
         ok && (option = getopt_long(argc, argv, ":h", known, NULL)) != -1;) {
        if (option == 'h') {
            fputs(regret_help, stdout);
            *status = EXIT_OK;
            return false;
        }
        if (option == '?' || option == ':')
            return unknown_option("regret", argv, option, known);
        ok = take_option(option, options);
    }
    if (ok && optind == argc) {
        fputs("scanbench: regret takes one run or more\n", stderr);
        ok = false;
    }
    if (!ok)
        fputs("scanbench regret --help says how to use it\n", stderr);
    return ok;
}

static int conclude(const struct published *set, const struct rules *rules,
                    const struct regret_options *options)
{
    struct regret regret = { 0 };
    const struct options *select = &options->select;
    const struct regret_scope scope = { .variant = options->variant,
                                        .rules = rules,
                                        .ops = select->ops,
                                        .dtypes = select->dtypes,
                                        .caches = select->caches
                                                      ? select->caches
                                                      : 1u << CACHE_COLD };
    int status = EXIT_NOTHING;
    for (size_t k = 0; k < set->count; ++k)
        regret_add(&regret, &set->run[k]);
    regret_judge(&regret, &scope);
    if (regret.count) {
        regret_print(&regret, rules ? rules->name : options->variant,
                     options->format, options->top);
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
    struct regret_options options;
    struct published set = { 0 };
    struct rules rules = { .count = 0 };
    int status;
    if (!parse(argc, argv, &options, &status))
        return status;
    if (options.rules && !page_read_rules(options.rules, &rules))
        return EXIT_BAD;
    status = published_read(&set, argv + optind, argc - optind)
                 ? conclude(&set, options.rules ? &rules : NULL, &options)
                 : EXIT_BAD;
    rules_free(&rules);
    published_free(&set);
    return status;
}
