/* SPDX-License-Identifier: MIT */
#include "harness/cli/export.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cli/cannot_write.h"
#include "harness/cli/export_parts.h"
#include "harness/cli/options_parts.h"
#include "harness/cli/read_run.h"
#include "harness/cli/select.h"
#include "harness/cli/show.h"
#include "harness/tally.h"
#include "src/base/whole_file.h"

static const char export_help[] =
    "A run's times in a format that another tool reads.\n"
    "\n"
    "  scanbench export RUN --format github-action-benchmark >bench.json\n"
    "  scanbench export RUN --format bencher -f /best/\n"
    "\n"
    "      --format F       github-action-benchmark: customSmallerIsBetter;\n"
    "                       google-benchmark: its JSON, with one repetition\n"
    "                       per process; bencher: Bencher Metric Format;\n"
    "                       nvbench-json: for nvbench's scripts;\n"
    "                       markdown: as `scanbench show`\n"
    "  -o, --out FILE       where to write it (default: stdout); nvbench-json\n"
    "                       then also writes the samples of `run --samples`,\n"
    "                       to FILE-bin/\n"
    "  -f, --filter REGEX   only cells whose op/variant/dtype/shape matches\n"
    "                       (may be repeated: any)\n"
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
    { "out", required_argument, NULL, 'o' },
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

/* ------------------------------------------------------------- the command */

struct export_options {
    const char *run, *out;
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

static bool take_option(int option, void *given)
{
    struct export_options *options = given;
    if (option == OPT_EXPORT_FORMAT)
        return take_format(optarg, options);
    if (option != 'o')
        return options_take(option, optarg, &options->select);
    options->out = optarg;
    return *optarg || options_complain("out", optarg, "the name is empty");
}

static bool parse(int argc, char **argv, struct export_options *options,
                  int *status)
{
    static const struct run_usage usage = { "export", export_help, known,
                                            ":f:o:h", take_option };
    *options = (struct export_options){ .format = -1 };
    options->run = options_one_run(argc, argv, &usage, options, status);
    if (!options->run || options->format >= 0)
        return options->run != NULL;
    fputs("scanbench: export needs --format\n"
          "scanbench export --help says which there are\n",
          stderr);
    return false;
}

/* Writers know stdout alone: `path`, if there is one, takes its place. */
static bool open_out(struct whole_file *whole, const char *path)
{
    if (!path)
        return true;
    if (!whole_file_open(whole, path))
        return cannot_write(path);
    if (whole_file_take_stdout(whole))
        return true;
    cannot_write(path);
    whole_file_drop(whole);
    return false;
}

/* Only with status 0 is it what was asked for. main() looks after stdout. */
static int close_out(struct whole_file *whole, const char *path, int status)
{
    if (!path)
        return status;
    if (status == EXIT_OK)
        return whole_file_close(whole) || cannot_write(path) ? EXIT_OK
                                                             : EXIT_BAD;
    whole_file_drop(whole);
    return status;
}

static int write_document(const struct exported *exported, int format)
{
    struct whole_file whole;
    if (!open_out(&whole, exported->out))
        return EXIT_BAD;
    const bool ok = writers[format] != export_nvbench || !exported->out ||
                    export_nvbench_samples(exported);
    if (ok)
        writers[format](exported);
    return close_out(&whole, exported->out, ok ? EXIT_OK : EXIT_BAD);
}

static int write_markdown(const struct export_options *options)
{
    struct whole_file whole;
    if (!open_out(&whole, options->out))
        return EXIT_BAD;
    return close_out(&whole, options->out,
                     show_as_markdown(options->run, &options->select));
}

static int write_run(struct run_folder *run,
                     const struct export_options *options)
{
    size_t count;
    int status = EXIT_NOTHING;
    select_rows(&options->select, &run->rows);
    struct standing *cells = standing_make(run, &count);
    struct exported exported = { run, cells, count, options->out, { NULL } };
    if (export_next(&exported, 0) == count) {
        fprintf(stderr,
                "scanbench: %s has no such cell with a time\n"
                "scanbench table lists what it has\n",
                options->run);
    } else {
        read_samples(&exported.samples, run);
        status = write_document(&exported, options->format);
        run_samples_free(&exported.samples);
    }
    free(cells);
    return status;
}

int export_command(int argc, char **argv)
{
    static struct export_options options; /* its patterns stay until the end */
    struct run_folder run = { 0 };
    int status;
    if (!parse(argc, argv, &options, &status))
        return status;
    if (!writers[options.format])
        return write_markdown(&options);
    status = read_run(&run, options.run) ? write_run(&run, &options) : EXIT_BAD;
    run_folder_free(&run);
    return status;
}
