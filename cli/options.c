/* SPDX-License-Identifier: MIT */
#include "cli/common/options_parts.h"

#include <getopt.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/exit.h"
#include "src/base/memory.h"

enum { LONG = 256 }; /* getopt's code: LONG + the row */

/* --------------------------------------------------------------- a command */

/* Prints why getopt refused a word, or a letter of one. */
static void refuse(enum command command, char **argv, int code,
                   const struct option *known)
{
    const char *command_name = command_rows[command].name;
    const char *word = argv[optind - 1], *names[MOST_ROWS];
    const char letter[3] = { '-', (char)optopt, '\0' };
    char lister[32];
    size_t count = 0;
    bool valued = false;
    for (; known[count].name; ++count) {
        names[count] = known[count].name;
        valued |= known[count].val == optopt;
    }
    snprintf(lister, sizeof lister, "%s --help", command_name);
    if (code == ':') {
        misused(command_name, "option '%s' needs a value", word);
    } else if (valued && strncmp(word, "--", 2) == 0) {
        misused(command_name, "option '%s' takes no value", word);
    } else {
        word = optopt > 0 && optopt < LONG ? letter : word;
        unknown_name(lister, "option", word + strspn(word, "-"), names, count);
    }
}

/* Lists a command's options for getopt. */
static void list_known(enum command command, struct option known[MOST_ROWS],
                       char letters[2 * MOST_ROWS])
{
    size_t count = 0, used = 0;
    letters[used++] = ':';
    for (const struct option_row *row = option_rows; row->name; ++row) {
        if (!(row->commands & 1u << command))
            continue;
        known[count++] = (struct option){
            row->name, row->argument ? required_argument : no_argument, NULL,
            row->letter ? row->letter : LONG + (int)(row - option_rows)
        };
        if (row->letter)
            letters[used++] = row->letter;
        if (row->letter && row->argument)
            letters[used++] = ':';
    }
    known[count] = (struct option){ 0 };
    letters[used] = '\0';
}

static const struct option_row *row_of(enum command command, int code)
{
    const struct option_row *row = option_rows;
    if (code >= LONG)
        return &option_rows[code - LONG];
    while (row->letter != code || !(row->commands & 1u << command))
        ++row;
    return row;
}

/* Takes all options from argv[2] on, and the other words. False after help or a
 * message; without `status`, no help is printed. */
static bool take_all(enum command command, int argc, char **argv, void *options,
                     struct words *words, int *status)
{
    struct option known[MOST_ROWS];
    char letters[2 * MOST_ROWS];
    list_known(command, known, letters);
    opterr = 0;
    optind = 2;
    for (int code;
         (code = getopt_long(argc, argv, letters, known, NULL)) != -1;) {
        if (code == ':' || code == '?') {
            refuse(command, argv, code, known);
            return false;
        }
        const struct option_row *row = row_of(command, code);
        if (row->kind == OPTION_HELP || row->kind == OPTION_VERSION) {
            if (status && row->kind == OPTION_HELP)
                put_page(command_rows[command].name, 1u << command);
            else if (status)
                put_version();
            if (status)
                *status = EXIT_OK;
            return false;
        }
        if (!take_value(row, optarg, options))
            return false;
        words->given[row - option_rows] = true;
    }
    const struct command_row *row = &command_rows[command];
    words->word = argv + optind;
    words->count = argc - optind;
    return (words->count >= row->least && words->count <= row->most) ||
           misused(row->name, "%s takes %s", row->name, row->words);
}

bool words_given(const struct words *words, const char *option)
{
    for (size_t k = 0; option_rows[k].name; ++k)
        if (words->given[k] && strcmp(option_rows[k].name, option) == 0)
            return true;
    return false;
}

int options_each(enum command command, int argc, char **argv,
                 void (*take)(const struct option_row *row, const char *value,
                              void *context),
                 void *context)
{
    struct option known[MOST_ROWS];
    char letters[2 * MOST_ROWS];
    list_known(command, known, letters);
    optind = 2;
    for (int code;
         (code = getopt_long(argc, argv, letters, known, NULL)) != -1;)
        if (code != ':' && code != '?')
            take(row_of(command, code), optarg, context);
    return optind;
}

bool command_parse(enum command command, int argc, char **argv, void *options,
                   struct words *words, int *status)
{
    *words = (struct words){ 0 };
    *status = EXIT_BAD;
    if (!take_all(command, argc, argv, options, words, status) ||
        (words_given(words, "op") && !take_late_ops(options)))
        return false;
    if (words_given(words, "shape"))
        say_shapes(options);
    return true;
}

/* ---------------------------------------------- run, check, list and tune */

static bool take_command(const char *word, struct options *options)
{
    const char *names[COMMAND_COUNT];
    for (int c = 0; c < COMMAND_COUNT; ++c) {
        names[c] = command_rows[c].name;
        if (c <= COMMAND_TUNE && strcmp(word, names[c]) == 0) {
            options->command = (enum command)c; /* others: main() */
            return true;
        }
    }
    return unknown_name("--help", "command", word, names, COMMAND_COUNT);
}

/* "tune OP SHAPE" */
static bool take_tuned(const struct words *words, struct options *options)
{
    options->filter.late_ops = words->word[0];
    if (!take_shapes(words->word[1], &options->filter))
        return false;
    const bool ops = strchr(words->word[0], ',') != NULL;
    if (ops || options->filter.shape_count != 1)
        return complain("tune", words->word[ops ? 0 : 1],
                        "one operation and one shape");
    if (!options->filter.dtypes)
        options->filter.dtypes = DTYPE_BIT(DTYPE_F32);
    if (!words_given(words, "budget"))
        options->budget_ms = 200;
    return true;
}

/* Fills in what was not selected. */
static void set_defaults(struct options *options)
{
    struct filter *filter = &options->filter;
    if (!filter->ops && !filter->late_ops)
        filter->ops = OPS_ALL;
    if (options->python && options->command == COMMAND_CHECK &&
        !filter->family && !filter->filters.count)
        filter->family = "python";
    if (!filter->dtypes)
        filter->dtypes = options->must_fail || options->command == COMMAND_CHECK
                             ? DTYPES_ALL
                             : DTYPES_FLOAT;
    if (!filter->caches)
        filter->caches = 1u << CACHE_COLD;
    if (!options->grid_count && !filter->shape_count)
        strcpy(options->grids[options->grid_count++],
               options->command == COMMAND_CHECK ? "awkward" : "default");
}

/* Answers --help and --version without a command. */
static bool is_question(int argc, char **argv, int *status)
{
    *status = EXIT_OK;
    if (argc < 2 || strcmp(argv[1], "--help") == 0 ||
        strcmp(argv[1], "-h") == 0)
        put_page("scanbench", ~0u);
    else if (strcmp(argv[1], "--version") == 0)
        put_version();
    else
        return false;
    return true;
}

bool options_add(struct options *options, const char *words)
{
    enum { MOST_WORDS = 16 };
    char *argv[MOST_WORDS + 1] = { "scanbench", "check" };
    char *copy = memory_copy(words), *rest = copy;
    struct options all = *options;
    struct words none = { 0 };
    int argc = 2, status;
    all.grid_count = all.filter.shape_count = 0;
    for (char *word;
         argc < MOST_WORDS && (word = strtok_r(rest, " ", &rest)) != NULL;)
        argv[argc++] = word;
    const bool ok = take_all(COMMAND_CHECK, argc, argv, &all, &none, &status) &&
                    take_late_ops(&all.filter);
    free(copy);
    if (!all.grid_count && !all.filter.shape_count) {
        all.grid_count = options->grid_count;
        all.filter.shape_count = options->filter.shape_count;
    }
    *options = all;
    return ok;
}

/* Refuses options that exclude each other. */
static bool agree(const struct options *options)
{
    if (options->broken && (options->plugin_count || options->frameworks))
        return complain("option", "--broken",
                        "not with --plugin or --frameworks");
    if (options->python && !options->filter.ops && !options->filter.late_ops &&
        !options->resume && options->command != COMMAND_LIST)
        return complain("option", "--python",
                        "name the operation of the function: --op cumsum");
    if (options->ranks && (options->all_devices || options->place_count > 1))
        return complain("option", "--ranks",
                        "not with several devices, whose runs would "
                        "get in each other's way: it takes the GPUs "
                        "from --device cuda:N on itself");
    if (options->out && options->resume)
        return complain("out", options->out, "not with --resume");
    return true;
}

bool options_parse(int argc, char **argv, struct options *options, int *status)
{
    struct words words = { 0 };
    *options = (struct options){ .processes = 1,
                                 .seed = 1,
                                 .budget_ms = 30,
                                 .slow_ms = NAN,
                                 .time_limit_s = NAN,
                                 .timeout_s = 60 };
    if (status && is_question(argc, argv, status))
        return false;
    if (status)
        *status = EXIT_BAD;
    if (!take_command(argv[1], options) ||
        !take_all(options->command, argc, argv, options, &words, status))
        return false;
    if ((options->command == COMMAND_TUNE && !take_tuned(&words, options)) ||
        !agree(options) ||
        (status && !options->plugin_count && !take_late_ops(&options->filter)))
        return false;
    set_defaults(options);
    return true;
}

/* ----------------------------------------------------------------- messages */

bool complain(const char *what, const char *word, const char *why)
{
    fprintf(stderr, "scanbench: %s '%s': %s\n", what, word, why);
    return false;
}

bool misused(const char *command, const char *format, ...)
{
    va_list arguments;
    fputs("scanbench: ", stderr);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fprintf(stderr, "\nsee scanbench %s --help\n", command);
    return false;
}

enum { NEAR_CHARS = 63 }; /* a longer name is cut */

/* Levenshtein's distance: characters inserted, deleted or replaced. */
static size_t distance_of(const char *left, const char *right)
{
    size_t row[NEAR_CHARS + 1], rights = strnlen(right, NEAR_CHARS);
    for (size_t r = 0; r <= rights; ++r)
        row[r] = r;
    for (size_t l = 0; l < NEAR_CHARS && left[l]; ++l) {
        size_t diagonal = row[0]++;
        for (size_t r = 1; r <= rights; ++r) {
            const size_t replaced = diagonal + (left[l] != right[r - 1]);
            const size_t moved =
                (row[r] < row[r - 1] ? row[r] : row[r - 1]) + 1;
            diagonal = row[r];
            row[r] = replaced < moved ? replaced : moved;
        }
    }
    return row[rights];
}

/* True if the word has the name's letters in order, as float32 has those of
 * f32, or the name contains the word. */
static bool is_alike(const char *word, const char *name)
{
    const char *left = name;
    for (const char *at = word; *at; ++at)
        left += *at == *left;
    return !*left || strstr(name, word);
}

bool unknown_name(const char *lister, const char *what, const char *word,
                  const char *const *names, size_t count)
{
    enum { FEW = 16, SLIPS = 2 };
    const char *nearest = NULL;
    size_t least = strlen(word) > SLIPS ? NEAR_CHARS : 0;
    for (size_t k = count; k-- > 0;) {
        const size_t apart = distance_of(word, names[k]);
        if (apart <= least && (apart <= SLIPS || is_alike(word, names[k]))) {
            nearest = names[k];
            least = apart;
        }
    }
    fprintf(stderr, "scanbench: unknown %s '%s'", what, word);
    if (nearest)
        fprintf(stderr, "; did you mean %s?", nearest);
    for (size_t k = 0; count <= FEW && k < count; ++k)
        fprintf(stderr, "%s%s",
                k         ? ", "
                : nearest ? " There are: "
                          : "; there are: ",
                names[k]);
    fputc('\n', stderr);
    if (count > FEW)
        fprintf(stderr, "scanbench %s lists what there is\n", lister);
    return false;
}
