/* SPDX-License-Identifier: MIT */
#include "harness/cli/tune.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/tally.h"

static const char help_text[] =
    "Which tuning point is the best here? Measures all that the build has.\n"
    "\n"
    "  scanbench tune cumsum 32768x32768:1\n"
    "  scanbench tune sum 128x4096x4095:1 --dtype f16 --family "
    "sum/period_vectors\n"
    "\n"
    "      --dtype D         f32 (default) f64 f16 bf16, or several: D,D\n"
    "      --family F        only the variants of this file\n"
    "      --format F        text (default) or csv\n"
    "      --processes N     repeat in N fresh processes: the intervals then\n"
    "                        hold from one process to the next, too\n"
    "      --budget MS       sampling time a variant (default 200)\n"
    "\n"
    "and what else scanbench run takes (--help). A margin is within noise if\n"
    "the 95 % interval of the ratio of the two has 1 in it. The rows are kept\n"
    "in a results folder, whose name goes to stderr.\n";

static bool complain(const char *what, const char *why)
{
    fprintf(stderr,
            "scanbench: %s: %s\nscanbench tune --help says how to use it\n",
            what, why);
    return false;
}

static bool take_format(struct tune *tune, const char *format)
{
    tune->csv = format && strcmp(format, "csv") == 0;
    return tune->csv || (format && strcmp(format, "text") == 0) ||
           complain("--format", "it is text or csv");
}

/* The user's words behind OP and SHAPE, but for --format. */
static bool pass_words(struct tune *tune, int argc, char **argv, char **words,
                       int *count)
{
    bool dtype = false;
    for (int k = 4; k < argc; ++k) {
        if (strncmp(argv[k], "--format=", 9) == 0) {
            if (!take_format(tune, argv[k] + 9))
                return false;
        } else if (strcmp(argv[k], "--format") == 0) {
            if (!take_format(tune, argv[++k]))
                return false;
        } else {
            dtype |= strncmp(argv[k], "--dt", 4) == 0;
            words[(*count)++] = argv[k];
        }
    }
    if (!dtype) {
        words[(*count)++] = "--dtype";
        words[(*count)++] = "f32";
    }
    return true;
}

bool tune_words(struct tune *tune, int *argc, char ***argv, int *status)
{
    *status = EXIT_BAD;
    if (*argc < 2 || strcmp((*argv)[1], "tune") != 0)
        return true;
    tune->asked = true;
    for (int k = 2; k < *argc; ++k)
        if (strcmp((*argv)[k], "--help") == 0 ||
            strcmp((*argv)[k], "-h") == 0) {
            fputs(help_text, stdout);
            *status = EXIT_OK;
            return false;
        }
    if (*argc < 4 || (*argv)[2][0] == '-' || (*argv)[3][0] == '-')
        return complain("tune", "an operation and a shape come first");
    char *start[] = { (*argv)[0], "run",      "--op",     (*argv)[2],
                      "--shape",  (*argv)[3], "--budget", "200" };
    int count = sizeof start / sizeof *start;
    char **words = calloc((size_t)(*argc + count + 3), sizeof *words);
    if (!words)
        abort();
    memcpy(words, start, sizeof start);
    if (!pass_words(tune, *argc, *argv, words, &count)) {
        free(words);
        return false;
    }
    *argc = count;
    *argv = words; /* kept: options point into the words */
    return true;
}

bool tune_options(struct tune *tune, struct options *options)
{
    int op = 0;
    if (!tune->asked)
        return true;
    while (!(options->ops & OP_BIT(op)))
        ++op;
    tune->op = (enum op)op;
    if (options->ops != OP_BIT(op) || options->shape_count != 1 ||
        options->grid_count)
        return complain("tune", "one operation and one shape");
    if (options->dry_run || options->profile || options->resume ||
        options->broken)
        return complain("tune", "it measures all variants: no --dry-run, "
                                "--profile, --resume or --broken");
    options->folder = tune->folder;
    options->folder_bytes = sizeof tune->folder;
    return true;
}
