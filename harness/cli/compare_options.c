/* SPDX-License-Identifier: MIT */
#include "harness/cli/compare_parts.h"

#include <getopt.h>
#include <stdlib.h>

#include "harness/cli/options_parts.h"
#include "harness/cli/unknown_name.h"
#include "harness/tally.h"

static const char compare_help[] =
    "Did it get slower? Compares two runs, the variants of one, or GPUs.\n"
    "\n"
    "  scanbench compare BASE NEW                what changed, worst first\n"
    "  scanbench compare BASE NEW --format markdown >comment.md\n"
    "  scanbench compare RUN --against cub_scan_by_key\n"
    "                                            speed-ups within one run\n"
    "  scanbench compare --gpus RUN...           GPUs side by side\n"
    "  scanbench compare --gpus native=RUN compute_80=RUN\n"
    "                                            two builds on one card\n"
    "\n"
    "BASE, NEW and RUN are folders that `scanbench run` wrote, or folders of\n"
    "such: one process each, of one build on one card.\n"
    "\n"
    "  -f, --filter REGEX    only cells whose op/variant/dtype/shape matches\n"
    "                        (may be repeated: any); with --against, the\n"
    "                        variants that are listed\n"
    "      --exclude REGEX   not these\n"
    "      --op A,B  --dtype A,B  --shape S,S  --cache C,C\n"
    "      --format F        text (default), markdown or csv; csv has every\n"
    "                        pair of cells, the others only changes\n"
    "      --fail-on WHAT    exit with 1 if a cell is: slower (default),\n"
    "                        unclear (or slower), any (any change), never;\n"
    "                        a result that broke counts as slower\n"
    "      --top N           rows listed, 0 for all (default 20); with\n"
    "                        --against, per shape, except in csv\n"
    "      --all             list unchanged cells, too\n"
    "      --floor-pct P     a smaller difference is no change (default 2)\n"
    "      --floor-us T      neither is one of fewer us (default 0.5)\n"
    "      --against V       compare every variant with V, or with the best\n"
    "                        of a family\n"
    "      --gpus            compare runs of several GPUs, or folders of "
    "such:\n"
    "                        GB/s, share of the GPU's own ceiling and winner\n"
    "                        for each operation and class of shape; -f,\n"
    "                        --exclude, --op, --dtype and --shape select\n"
    "                        cells, --top N the first N rows; NAME=RUN shows\n"
    "                        that name instead of the GPU's\n"
    "      --cards           as --gpus, but for each card: two of one name\n"
    "                        are separate, and so are one alone and together\n"
    "                        with others (run --device all); then the spread\n"
    "                        of the cards\n"
    "  -h, --help\n"
    "\n"
    "slower, faster: beyond the limit, which the scatter of the runs sets, "
    "and\n"
    "not by chance (up to 5 % of all cells that are called so may be).\n"
    "unchanged: certainly within a limit of at most 5 %. too_short: within "
    "the\n"
    "limit, which is wider. unclear: measure more processes; with one process\n"
    "on a side, all cells are unclear.\n"
    "There are no verdicts between devices of different names, or if only one\n"
    "side had locked clocks. Two cards of one name are judged by each time as\n"
    "a share of its own run's ceiling. docs/compare.md has the rule.\n"
    "\n"
    "Exit status: 0 nothing to fail on; 1 a cell is broken, or slower with at\n"
    "least three processes on each side; 2 usage or bad input: no folder of a\n"
    "run, no cell in common, or damaged or lost files, which are named and\n"
    "left out while the rest is compared.\n";

enum {
    OPT_COMPARE_FORMAT = 1000,
    OPT_FAIL_ON,
    OPT_TOP,
    OPT_ALL,
    OPT_FLOOR_PCT,
    OPT_FLOOR_US,
    OPT_AGAINST,
    OPT_GPUS,
    OPT_CARDS
};

static const struct option long_options[] = {
    { "filter", required_argument, NULL, 'f' },
    { "exclude", required_argument, NULL, OPT_EXCLUDE },
    { "op", required_argument, NULL, OPT_OP },
    { "dtype", required_argument, NULL, OPT_DTYPE },
    { "shape", required_argument, NULL, OPT_SHAPE },
    { "cache", required_argument, NULL, OPT_CACHE },
    { "format", required_argument, NULL, OPT_COMPARE_FORMAT },
    { "fail-on", required_argument, NULL, OPT_FAIL_ON },
    { "top", required_argument, NULL, OPT_TOP },
    { "all", no_argument, NULL, OPT_ALL },
    { "floor-pct", required_argument, NULL, OPT_FLOOR_PCT },
    { "floor-us", required_argument, NULL, OPT_FLOOR_US },
    { "against", required_argument, NULL, OPT_AGAINST },
    { "gpus", no_argument, NULL, OPT_GPUS },
    { "cards", no_argument, NULL, OPT_CARDS },
    { "help", no_argument, NULL, 'h' },
    { 0 }
};

static bool complain(const char *what, const char *why)
{
    fprintf(stderr,
            "scanbench: %s: %s\nscanbench compare --help says how to use it\n",
            what, why);
    return false;
}

static bool take_name(const char *what, const char *word,
                      const char *const *names, size_t count, int *place)
{
    for (*place = 0; (size_t)*place < count; ++*place)
        if (strcmp(word, names[*place]) == 0)
            return true;
    return unknown_name("compare --help", what, word, names, count);
}

static bool take_number(const char *what, const char *text, double *number)
{
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end || !(value >= 0 && value < 1e6))
        return complain(what, "needs a number from 0");
    *number = value;
    return true;
}

static bool take_option(int option, const char *argument,
                        struct compare_options *options)
{
    static const char *const formats[] = { [FORMAT_TEXT] = "text",
                                           [FORMAT_MARKDOWN] = "markdown",
                                           [FORMAT_CSV] = "csv" };
    static const char *const fails[] = { [FAIL_ON_SLOWER] = "slower",
                                         [FAIL_ON_UNCLEAR] = "unclear",
                                         [FAIL_ON_ANY] = "any",
                                         [FAIL_ON_NEVER] = "never" };
    double number = 0;
    int place = 0;
    bool ok = true;
    switch (option) {
    case OPT_COMPARE_FORMAT:
        ok = take_name("format", argument, formats,
                       sizeof formats / sizeof *formats, &place);
        options->format = (enum compare_format)place;
        return ok;
    case OPT_FAIL_ON:
        ok = take_name("fail-on", argument, fails, sizeof fails / sizeof *fails,
                       &place);
        options->fail_on = (enum fail_on)place;
        return ok;
    case OPT_TOP:
        ok = take_number("--top", argument, &number);
        options->top = (size_t)number;
        return ok;
    case OPT_ALL:
        return options->all = true;
    case OPT_FLOOR_PCT:
        ok = take_number("--floor-pct", argument, &number);
        options->floors.relative = number / 100;
        return ok;
    case OPT_FLOOR_US:
        return take_number("--floor-us", argument,
                           &options->floors.absolute_us);
    case OPT_CARDS:
        options->cards = true; /* fall through */
    case OPT_GPUS:
        return options->gpus = true;
    case OPT_AGAINST:
        options->against = argument;
        return true;
    }
    return options_take(option, argument, &options->select);
}

static bool take_folders(int count, char **words,
                         struct compare_options *options)
{
    const int wanted = options->against ? 1 : 2;
    if (options->gpus && options->against)
        return complain("--gpus", "not with --against");
    if (options->gpus) {
        options->runs = words;
        options->run_count = count;
        return count > 0 || complain("a folder is missing",
                                     "compare --gpus RUN... takes some");
    }
    if (count != wanted)
        return complain(count < wanted ? "a folder is missing" : words[wanted],
                        wanted == 1 ? "compare RUN --against VARIANT takes one"
                                    : "compare BASE NEW takes two");
    options->base = words[0];
    options->now = wanted == 2 ? words[1] : NULL;
    return true;
}

bool compare_options_parse(int argc, char **argv,
                           struct compare_options *options, int *status)
{
    *options = (struct compare_options){ .top = 20, .floors = COMPARE_FLOORS };
    bool judged = false, top = false;
    *status = EXIT_BAD;
    opterr = 0;
    optind = 2;
    for (int option; (option = getopt_long(argc, argv, ":f:h", long_options,
                                           NULL)) != -1;) {
        if (option == 'h') {
            fputs(compare_help, stdout);
            *status = EXIT_OK;
            return false;
        }
        if (option == ':' || option == '?')
            return unknown_option("compare", argv, option, long_options);
        if (!take_option(option, optarg, options))
            return false;
        top |= option == OPT_TOP;
        judged |= option == OPT_FAIL_ON || option == OPT_ALL ||
                  option == OPT_FLOOR_PCT || option == OPT_FLOOR_US ||
                  option == OPT_CACHE;
    }
    if (options->gpus && judged)
        return complain("--gpus", "judges nothing, and is of the cold cache: "
                                  "without --fail-on, --all, --floor-pct, "
                                  "--floor-us and --cache");
    if (options->gpus && !top)
        options->top = 0;
    return take_folders(argc - optind, argv + optind, options);
}
