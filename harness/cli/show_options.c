/* SPDX-License-Identifier: MIT */
#include <getopt.h>
#include <string.h>

#include "harness/cli/options_parts.h"
#include "harness/cli/show_parts.h"
#include "harness/tally.h"

static const char show_help[] =
    "The fastest variants of a run, one line per class of shape.\n"
    "\n"
    "  scanbench show RUN\n"
    "  scanbench show RUN --all --op cumsum      every shape\n"
    "  scanbench show RUN --format json >run.json\n"
    "\n"
    "RUN is a folder that `scanbench run` wrote.\n"
    "\n"
    "  -f, --filter REGEX   only cells whose op/variant/dtype/shape matches\n"
    "                       (may be repeated: any)\n"
    "      --exclude REGEX  not these\n"
    "      --op A,B  --dtype A,B  --shape S,S  --cache C,C\n"
    "      --all            one line per shape, not per class; --shape\n"
    "                       implies it\n"
    "      --samples        instead, one line per cell and process: the\n"
    "                       distribution of its samples; csv and json have\n"
    "                       every sample. Needs a run that was measured with\n"
    "                       `run --samples`\n"
    "      --format F       text (default), markdown, csv or json\n"
    "  -h, --help\n"
    "\n"
    "A class is shown at its largest shape. %: share of the ceiling. CUB: its\n"
    "time as a multiple of the fastest's. =: within noise. ?: doubtful.\n"
    "docs/method.md explains every mark and class.\n"
    "Exit status: 0; 2 usage or bad input; 77 no such cell.\n";

enum { OPT_SHOW_FORMAT = 1000, OPT_SHOW_ALL, OPT_SHOW_SAMPLES };

static const struct option known[] = {
    { "format", required_argument, NULL, OPT_SHOW_FORMAT },
    { "all", no_argument, NULL, OPT_SHOW_ALL },
    { "samples", no_argument, NULL, OPT_SHOW_SAMPLES },
    { "filter", required_argument, NULL, 'f' },
    { "exclude", required_argument, NULL, OPT_EXCLUDE },
    { "op", required_argument, NULL, OPT_OP },
    { "dtype", required_argument, NULL, OPT_DTYPE },
    { "shape", required_argument, NULL, OPT_SHAPE },
    { "cache", required_argument, NULL, OPT_CACHE },
    { "help", no_argument, NULL, 'h' },
    { 0 }
};

static bool take_format(const char *format, struct show_options *options)
{
    static const char *const names[] = { [SHOW_TEXT] = "text",
                                         [SHOW_MARKDOWN] = "markdown",
                                         [SHOW_CSV] = "csv",
                                         [SHOW_JSON] = "json" };
    enum { COUNT = sizeof names / sizeof *names };
    for (int k = 0; k < COUNT; ++k)
        if (strcmp(format, names[k]) == 0) {
            options->format = (enum show_format)k;
            return true;
        }
    return options_unknown("format", format, names, COUNT);
}

static bool take_option(int option, void *given)
{
    struct show_options *options = given;
    switch (option) {
    case OPT_SHOW_FORMAT:
        return take_format(optarg, options);
    case OPT_SHOW_ALL:
        return options->all = true;
    case OPT_SHOW_SAMPLES:
        return options->samples = true;
    case OPT_SHAPE:
        options->all = true;
        break;
    }
    return options_take(option, optarg, &options->select);
}

bool show_options_parse(int argc, char **argv, struct show_options *options,
                        int *status)
{
    static const struct run_usage usage = { "show", show_help, known, ":f:h",
                                            take_option };
    *options = (struct show_options){ .run = NULL };
    options->run = options_one_run(argc, argv, &usage, options, status);
    return options->run != NULL;
}
