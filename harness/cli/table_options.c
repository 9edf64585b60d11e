/* SPDX-License-Identifier: MIT */
#include <getopt.h>
#include <string.h>

#include "harness/cli/options_parts.h"
#include "harness/cli/table_parts.h"
#include "harness/tally.h"

static const char table_help[] =
    "A run as one row per cell, over all its processes.\n"
    "\n"
    "  scanbench table RUN              families at each shape, fastest first\n"
    "  scanbench table RUN --format csv >t.csv\n"
    "  scanbench table RUN --charts DIR\n"
    "\n"
    "RUN is a folder that `scanbench run` wrote.\n"
    "\n"
    "  -f, --filter REGEX   only cells whose op/variant/dtype/shape matches\n"
    "                       (may be repeated: any)\n"
    "      --exclude REGEX  not these\n"
    "      --op A,B  --dtype A,B  --cache C,C\n"
    "      --all            text: every tuning point, and cells without a "
    "time\n"
    "      --format F       text (default); csv: every cell; or\n"
    "                       google-benchmark: its JSON, with one repetition\n"
    "                       per process of every cell that has a time, for\n"
    "                       github-action-benchmark and Bencher (docs/ci.md)\n"
    "      --charts DIR     instead, write the data of each chart to a file "
    "in\n"
    "                       this folder\n"
    "      --rules FILE     with --charts: what these rules choose, in place\n"
    "                       of `best`\n"
    "  -h, --help\n"
    "\n"
    "=: within noise of the fastest: nearer than their 95 % intervals reach.\n"
    "?: doubtful; a firm time goes first.\n"
    "Exit status: 0; 2 usage or bad input; 77 no such cell, or nothing to "
    "draw.\n";

enum {
    OPT_TABLE_FORMAT = 1000,
    OPT_TABLE_CHARTS,
    OPT_TABLE_ALL,
    OPT_TABLE_RULES
};

static const struct option known[] = {
    { "format", required_argument, NULL, OPT_TABLE_FORMAT },
    { "charts", required_argument, NULL, OPT_TABLE_CHARTS },
    { "all", no_argument, NULL, OPT_TABLE_ALL },
    { "rules", required_argument, NULL, OPT_TABLE_RULES },
    { "filter", required_argument, NULL, 'f' },
    { "exclude", required_argument, NULL, OPT_EXCLUDE },
    { "op", required_argument, NULL, OPT_OP },
    { "dtype", required_argument, NULL, OPT_DTYPE },
    { "cache", required_argument, NULL, OPT_CACHE },
    { "help", no_argument, NULL, 'h' },
    { 0 }
};

static bool take_format(const char *format, struct table_options *options)
{
    static const char *const names[] = { [TABLE_TEXT] = "text",
                                         [TABLE_CSV] = "csv",
                                         [TABLE_GOOGLE] = "google-benchmark" };
    enum { COUNT = sizeof names / sizeof *names };
    for (int k = 0; k < COUNT; ++k)
        if (strcmp(format, names[k]) == 0) {
            options->format = (enum table_format)k;
            return true;
        }
    return options_unknown("format", format, names, COUNT);
}

static bool take_option(int option, void *given)
{
    struct table_options *options = given;
    switch (option) {
    case OPT_TABLE_FORMAT:
        return take_format(optarg, options);
    case OPT_TABLE_CHARTS:
        options->charts = optarg;
        return true;
    case OPT_TABLE_ALL:
        return options->all = true;
    case OPT_TABLE_RULES:
        options->rules = optarg;
        return true;
    }
    return options_take(option, optarg, &options->select);
}

bool table_options_parse(int argc, char **argv, struct table_options *options,
                         int *status)
{
    static const struct run_usage usage = { "table", table_help, known, ":f:h",
                                            take_option };
    *options = (struct table_options){ .run = NULL };
    options->run = options_one_run(argc, argv, &usage, options, status);
    if (options->run && options->rules && !options->charts) {
        *status = EXIT_BAD;
        return options_complain("--rules", options->rules,
                                "they are for charts: add --charts DIR");
    }
    return options->run != NULL;
}
