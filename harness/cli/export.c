/* SPDX-License-Identifier: MIT */
#include "harness/cli/export.h"

#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cli/escape.h"
#include "harness/cli/export_parts.h"
#include "harness/cli/options_parts.h"
#include "harness/cli/read_run.h"
#include "harness/cli/select.h"
#include "harness/cli/show.h"
#include "harness/tally.h"

static const char help_text[] =
    "A run's times in a format that another tool reads, on stdout.\n"
    "\n"
    "  scanbench export RUN --format github-action-benchmark >bench.json\n"
    "  scanbench export RUN --format bencher -f /best/\n"
    "\n"
    "      --format F       github-action-benchmark: customSmallerIsBetter;\n"
    "                       google-benchmark: its JSON, a repetition for each\n"
    "                       process; bencher: Bencher Metric Format;\n"
    "                       nvbench-json: for nvbench's scripts;\n"
    "                       markdown: as `scanbench show`\n"
    "  -f, --filter REGEX   cells whose op/variant/dtype/shape matches (may "
    "be\n"
    "                       repeated: any)\n"
    "      --exclude REGEX  not these\n"
    "      --op A,B  --dtype A,B  --shape S,S  --cache C,C\n"
    "  -h, --help\n"
    "\n"
    "Cells without a time are left out. A name is op/variant/dtype/shape/"
    "cache.\n"
    "Exit status: 0; 2 usage or bad input; 77 no cell with a time.\n";

enum { OPT_EXPORT_FORMAT = 1000 };

static const struct option known[] = {
    { "format", required_argument, NULL, OPT_EXPORT_FORMAT },
    { "filter", required_argument, NULL, 'f' },
    { "exclude", required_argument, NULL, OPT_EXCLUDE },
    { "op", required_argument, NULL, OPT_OP },
    { "dtype", required_argument, NULL, OPT_DTYPE },
    { "shape", required_argument, NULL, OPT_SHAPE },
    { "cache", required_argument, NULL, OPT_CACHE },
    { "help", no_argument, NULL, 'h' },
    { 0 }
};

/* Markdown is `show`'s, and has no writer here. */
static const char *const formats[] = { "github-action-benchmark",
                                       "google-benchmark", "bencher",
                                       "nvbench-json", "markdown" };
static void (*const writers[])(const struct exported *) = {
    export_action, export_google, export_bencher, export_nvbench, NULL
};
enum { FORMATS = sizeof formats / sizeof *formats };

/* ----------------------------------------------------------------- writing */

char *export_name(const struct run_row *row, char name[EXPORT_NAME_BYTES])
{
    char shape[SHAPE_TEXT_BYTES];
    snprintf(name, EXPORT_NAME_BYTES, "%s/%s/%s/%s/%s", op_name(row->op),
             row->variant, dtype_name(row->dtype),
             shape_format(row->shape, shape), cache_name(row->cache));
    return name;
}

size_t export_next(const struct exported *exported, size_t from)
{
    while (from < exported->count &&
           !run_cell_timed(&exported->cells[from].cell))
        ++from;
    return from;
}

void export_text(const char *key, const char *text)
{
    printf("\"%s\": ", key);
    write_json(stdout, text);
}

void export_real(const char *key, double value)
{
    printf("\"%s\": ", key);
    printf(isfinite(value) ? "%.9g" : "null", value);
}

/* ------------------------------------------------------------- the command */

struct export_options {
    const char *run;
    int format;
    struct options select;
};

static bool take_format(const char *name, struct export_options *options)
{
    for (int k = 0; k < FORMATS; ++k)
        if (strcmp(name, formats[k]) == 0) {
            options->format = k;
            return true;
        }
    return options_unknown("format", name, formats, FORMATS);
}

static bool parse(int argc, char **argv, struct export_options *options,
                  int *status)
{
    *options = (struct export_options){ .format = -1 };
    *status = EXIT_BAD;
    optind = 2;
    for (int option;
         (option = getopt_long(argc, argv, "f:h", known, NULL)) != -1;) {
        if (option == 'h') {
            fputs(help_text, stdout);
            *status = EXIT_OK;
            return false;
        }
        if (option == '?' ||
            !(option == OPT_EXPORT_FORMAT
                  ? take_format(optarg, options)
                  : options_take(option, optarg, &options->select)))
            return false;
    }
    if (argc - optind == 1 && options->format >= 0) {
        options->run = argv[optind];
        return true;
    }
    fputs("scanbench: export takes one run and --format\n"
          "scanbench export --help says how to use it\n",
          stderr);
    return false;
}

static int write_run(struct run_folder *run,
                     const struct export_options *options)
{
    size_t count;
    int status = EXIT_NOTHING;
    select_rows(&options->select, &run->rows);
    struct standing *cells = standing_make(run, &count);
    const struct exported exported = { run, cells, count };
    if (export_next(&exported, 0) < count) {
        writers[options->format](&exported);
        status = EXIT_OK;
    } else {
        fprintf(stderr, "scanbench: %s has no such cell with a time\n",
                options->run);
    }
    free(cells);
    return status;
}

/* The same words are `show`'s own. */
static int as_show(int argc, char **argv)
{
    argv[1] = "show";
    return show_command(argc, argv);
}

int export_command(int argc, char **argv)
{
    static struct export_options options; /* its patterns stay until the end */
    struct run_folder run = { 0 };
    int status;
    if (!parse(argc, argv, &options, &status))
        return status;
    if (!writers[options.format])
        return as_show(argc, argv);
    status = read_run(&run, options.run) ? write_run(&run, &options) : EXIT_BAD;
    run_folder_free(&run);
    return status;
}
