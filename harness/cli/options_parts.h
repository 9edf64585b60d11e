/* SPDX-License-Identifier: MIT
 *
 * What the parser of the command line (options.c) is made of.
 */
#ifndef HARNESS_CLI_OPTIONS_PARTS_H
#define HARNESS_CLI_OPTIONS_PARTS_H

#include "harness/options.h"

#include <getopt.h>

/* Every option's code: its letter, or one of these. */
enum option_code {
    OPT_EXCLUDE = 256,
    OPT_OP,
    OPT_DTYPE,
    OPT_SHAPE,
    OPT_SHAPES,
    OPT_GRID,
    OPT_QUICK,
    OPT_FAMILY,
    OPT_BROKEN,
    OPT_DEVICE,
    OPT_ONE_AT_A_TIME,
    OPT_PRETEND,
    OPT_RULES,
    OPT_PLUGIN,
    OPT_FRAMEWORKS,
    OPT_FORMAT,
    OPT_CACHE,
    OPT_PROCESSES,
    OPT_SEED,
    OPT_PROFILE,
    OPT_BUDGET,
    OPT_SLOW,
    OPT_TIMEOUT,
    OPT_TIME_LIMIT,
    OPT_OFFSET,
    OPT_REPEAT,
    OPT_BLOCKS,
    OPT_ROOM,
    OPT_RANKS,
    OPT_STREAMS,
    OPT_RESUME,
    OPT_SAMPLES,
    OPT_MUST_FAIL,
    OPT_FAMILIES,
    OPT_DEVICES,
    OPT_IN_PROCESS,
    OPT_VERSION
};

/* Which commands an option means something to. */
enum {
    FOR_RUN = 1 << COMMAND_RUN,
    FOR_CHECK = 1 << COMMAND_CHECK,
    FOR_LIST = 1 << COMMAND_LIST,
    FOR_TUNE = 1 << COMMAND_TUNE,
    FOR_TIMING = FOR_RUN | FOR_TUNE,
    FOR_PLANS = FOR_RUN | FOR_CHECK | FOR_LIST,
    FOR_ALL = FOR_PLANS | FOR_TUNE
};

/* THE table of options; it ends with an empty row. */
struct option_row {
    struct option getopt;
    unsigned commands;
    const char *argument, *help; /* argument: what it is called, or NULL */
};
extern const struct option_row option_rows[];

/* THE table of commands: those of enum command first, in its order, then those
 * that have options, examples and a help of their own. It ends with a NULL
 * name. */
struct command_row {
    const char *name, *summary, *examples;
};
extern const struct command_row command_rows[];

/* On stdout: a row of the table of options; a command's help; all commands;
 * what was built. */
void options_put_row(const struct option_row *row);
void options_put_help(enum command command);
void options_put_overview(void);
void options_put_version(void);

/* Both say on stderr what is the matter and return false: "unknown WHAT
 * 'word'" with the nearest of the names; "WHAT 'word': WHY". */
bool options_unknown(const char *what, const char *word,
                     const char *const *names, size_t count);
bool options_complain(const char *what, const char *word, const char *why);

/* Takes an option with its argument (NULL: it has none). False after saying
 * what is wrong with it. */
bool options_take(int code, const char *argument, struct options *options);

/* A command that takes options and one run. */
struct run_usage {
    const char *command, *help;
    const struct option *known;
    const char *letters; /* of getopt(), after a ':' */
    /* An option, its argument in optarg; false after saying what is wrong. */
    bool (*take)(int option, void *options);
};

/* Takes all words. The run; or NULL, where the command ends with *status and
 * everything is said. */
const char *options_one_run(int argc, char **argv,
                            const struct run_usage *usage, void *options,
                            int *status);

/* Adds what the words of a family's record say, as options of `check` whose
 * arguments are numbers or shapes; shapes replace those that are there. */
bool options_add(struct options *options, const char *words);

#endif
