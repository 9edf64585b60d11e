/* SPDX-License-Identifier: MIT */
#include "harness/cli/options_parts.h"

#include "harness/cli/unknown_name.h"
#include "harness/tally.h"
#include "harness/version.h"
#include "src/base/memory.h"
#include "src/base/random_grid.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_OPTIONS = 64 };

/* What getopt did not take. */
static bool refused(char **argv, int code, const struct option *known)
{
    const char *word = argv[optind - 1];
    if (code == '?' && strcmp(word, "--json") == 0)
        return options_complain("option", word,
                                "JSON is of a run: scanbench show RUN --format "
                                "json");
    if (code == '?' && strncmp(word, "--launches", 8) == 0) /* of schema 2 */
        return options_complain("option", word, "it is --processes now");
    return unknown_option(argv[1], argv, code, known);
}

/* Whether the option means anything to the command: what would be ignored is
 * a misunderstanding. */
static bool belongs(int code, const struct options *options)
{
    const struct option_row *row = option_rows;
    while (row->getopt.val != code)
        ++row;
    if (row->commands & 1u << options->command)
        return true;
    fprintf(stderr, "scanbench: %s has no option '--%s'; it is for",
            command_rows[options->command].name, row->getopt.name);
    const char *comma = " ";
    for (int c = 0; c <= COMMAND_TUNE; ++c)
        if (row->commands & 1u << c) {
            fprintf(stderr, "%s%s", comma, command_rows[c].name);
            comma = ", ";
        }
    fprintf(stderr, "\nscanbench %s --help lists what there is\n",
            command_rows[options->command].name);
    return false;
}

static bool take_command(const char *word, struct options *options)
{
    for (int c = 0; c <= COMMAND_TUNE; ++c) /* others: their own parsers */
        if (strcmp(word, command_rows[c].name) == 0) {
            options->command = (enum command)c;
            return true;
        }
    const char *names[MAX_OPTIONS];
    size_t count = 0;
    for (; command_rows[count].name; ++count)
        names[count] = command_rows[count].name;
    return options_unknown("command", word, names, count);
}

/* A word without an option: what it may have been meant for. */
static bool stray(const char *word)
{
    const char *meant = "options only; did you mean -f?";
    enum op op;
    enum dtype dtype;
    struct shape shape;
    for (int k = 0; grid_names[k]; ++k)
        if (strcmp(word, grid_names[k]) == 0 || random_grid_is(word))
            meant = "did you mean --grid?";
    if (op_parse(word, &op))
        meant = "did you mean --op?";
    else if (dtype_parse(word, &dtype))
        meant = "did you mean --dtype?";
    else if (!shape_parse(word, &shape))
        meant = "did you mean --shape?";
    return options_complain("argument", word, meant);
}

/* "tune OP SHAPE": one of each, ahead of the options. */
static bool take_tuned(int argc, char **argv, struct options *options)
{
    if (argc < 4 || argv[2][0] == '-' || argv[3][0] == '-')
        return options_complain("tune", argc > 2 ? argv[2] : "",
                                "an operation and a shape come first, such as "
                                "tune sum 128x4096x4095:1");
    if (!options_take(OPT_OP, argv[2], options) ||
        !options_take(OPT_SHAPE, argv[3], options))
        return false;
    if (strchr(argv[2], ',') || options->shape_count != 1)
        return options_complain("tune", argv[strchr(argv[2], ',') ? 2 : 3],
                                "one operation and one shape");
    options->budget_ms = 200;
    return true;
}

/* What was left open. */
static void set_defaults(struct options *options)
{
    if (!options->dtypes && options->command == COMMAND_TUNE)
        options->dtypes = DTYPE_BIT(DTYPE_F32);
    if (!options->ops)
        options->ops = OPS_ALL;
    if (!options->dtypes)
        options->dtypes = DTYPES_ALL;
    if (!options->caches)
        options->caches = 1u << CACHE_COLD;
    if (!options->grid_count && !options->shape_count)
        strcpy(options->grids[options->grid_count++],
               options->command == COMMAND_CHECK ? "awkward" : "default");
}

/* Says what there is to say before any option; true: that was all. */
static bool is_question(int argc, char **argv, int *status)
{
    *status = 0;
    if (argc < 2 || strcmp(argv[1], "--help") == 0 ||
        strcmp(argv[1], "-h") == 0)
        options_put_overview();
    else if (strcmp(argv[1], "--version") == 0)
        options_put_version();
    else
        return false;
    return true;
}

/* One option as getopt gave it; false: no further. Without `status` no question
 * is answered. */
static bool take(int code, char **argv, const struct option *known,
                 struct options *options, int *status)
{
    if (code == 'h' || code == OPT_VERSION) {
        if (!status)
            return false;
        if (code == 'h')
            options_put_help(options->command);
        else
            options_put_version();
        *status = 0;
        return false;
    }
    if (code == ':' || code == '?')
        return refused(argv, code, known);
    return belongs(code, options) && options_take(code, optarg, options);
}

/* All options from argv[2] on; false: no further. */
static bool take_all(int argc, char **argv, struct options *options,
                     int *status)
{
    struct option names[MAX_OPTIONS] = { { 0 } };
    for (int k = 0; option_rows[k].getopt.name; ++k)
        names[k] = option_rows[k].getopt;
    if (options->command == COMMAND_TUNE && !take_tuned(argc, argv, options))
        return false;
    opterr = 0;
    optind = options->command == COMMAND_TUNE ? 4 : 2;
    for (int code;
         (code = getopt_long(argc, argv, "+:f:o:nqh", names, NULL)) != -1;)
        if (!take(code, argv, names, options, status))
            return false;
    return true;
}

bool options_add(struct options *options, const char *words)
{
    enum { MOST_WORDS = 16 };
    char *argv[MOST_WORDS + 1] = { "scanbench", "check" };
    char *copy = memory_copy(words), *rest = copy;
    struct options all = *options;
    int argc = 2, status;
    all.grid_count = all.shape_count = 0;
    for (char *word;
         argc < MOST_WORDS && (word = strtok_r(rest, " ", &rest)) != NULL;)
        argv[argc++] = word;
    const bool ok = take_all(argc, argv, &all, &status);
    free(copy);
    if (!all.grid_count && !all.shape_count) {
        all.grid_count = options->grid_count;
        all.shape_count = options->shape_count;
    }
    *options = all;
    return ok;
}

bool options_parse(int argc, char **argv, struct options *options, int *status)
{
    *options = (struct options){ .processes = 1,
                                 .seed = 1,
                                 .budget_ms = 30,
                                 .slow_ms = NAN,
                                 .time_limit_s = NAN,
                                 .timeout_s = 60 };
    if (status && is_question(argc, argv, status))
        return false;
    if (status)
        *status = 2;
    if (!take_command(argv[1], options))
        return false;
    if (!take_all(argc, argv, options, status))
        return false;
    if (optind < argc)
        return stray(argv[optind]);
    if (options->broken && (options->plugin_count || options->frameworks))
        return options_complain("option", "--broken",
                                "not with --plugin or --frameworks");
    if (options->ranks && (options->all_devices || options->place_count > 1))
        return options_complain("option", "--ranks",
                                "not with several devices, whose runs would "
                                "get in each other's way: it takes the GPUs "
                                "from --device cuda:N on itself");
    if (options->out && options->resume)
        return options_complain("out", options->out, "not with --resume");
    set_defaults(options);
    return true;
}

static void patterns_free(struct patterns *patterns)
{
    while (patterns->count > 0)
        regfree(&patterns->compiled[--patterns->count]);
}

void options_free(struct options *options)
{
    patterns_free(&options->filters);
    patterns_free(&options->excludes);
}

bool patterns_match(const struct patterns *patterns, const char *id)
{
    for (int k = 0; k < patterns->count; ++k)
        if (regexec(&patterns->compiled[k], id, 0, NULL, 0) == 0)
            return true;
    return false;
}

const char *options_one_run(int argc, char **argv,
                            const struct run_usage *usage, void *options,
                            int *status)
{
    bool ok = true;
    *status = EXIT_BAD;
    opterr = 0;
    optind = 2;
    for (int option; ok && (option = getopt_long(argc, argv, usage->letters,
                                                 usage->known, NULL)) != -1;) {
        if (option == 'h') {
            fputs(usage->help, stdout);
            *status = EXIT_OK;
            return NULL;
        }
        if (option == '?' || option == ':') {
            unknown_option(usage->command, argv, option, usage->known);
            return NULL;
        }
        ok = usage->take(option, options);
    }
    if (ok && argc - optind == 1)
        return argv[optind];
    if (ok)
        fprintf(stderr, "scanbench: %s takes one run\n", usage->command);
    fprintf(stderr, "scanbench %s --help says how to use it\n", usage->command);
    return NULL;
}
