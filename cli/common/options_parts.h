/* SPDX-License-Identifier: MIT
 *
 * The table of commands and options, and its readers. Parsing, --help, the man
 * page and completion all come from the table.
 */
#pragma once

#include "harness/options.h"
#include "src/base/whole_file.h"

/* Kinds of options, by the value at the row's offset. */
enum option_kind {
    OPTION_FLAG,   /* bool, true; there is no argument */
    OPTION_TEXT,   /* const char *, not empty */
    OPTION_CHOICE, /* int, the place among `choices` */
    OPTION_NAMES,  /* unsigned, bits 1 << the places of a list of them */
    OPTION_WHOLE,  /* int, from `least` to `most` */
    OPTION_REALS,  /* double[count], from `least` to below `most` */
    OPTION_TAKE,   /* read by `take` */
    OPTION_HELP,
    OPTION_VERSION
};

struct option_row {
    const char *name;
    char letter;       /* 0 if there is none */
    unsigned commands; /* bits 1 << enum command */
    const char *argument, *help;
    enum option_kind kind;
    size_t offset; /* in the command's options */
    double least, most;
    int count;
    const char *const *choices; /* end with NULL */
    bool (*take)(const char *argument, void *value);
};

struct command_row {
    const char *name, *summary;
    int least, most;   /* words beside the options */
    const char *words; /* how these are called in messages */
};

struct exit_row {
    int status;
    unsigned commands;
    const char *text;
};

extern const struct exit_row exit_rows[];       /* ends with a NULL text */
extern const struct option_row option_rows[];   /* ends with a NULL name */
extern const struct command_row command_rows[]; /* [COMMAND_COUNT] */
extern const char *const help_texts[];          /* of cli/help/, with names */

enum { MOST_ROWS = 256 }; /* of option_rows */

/* Words that are no option, and which rows of the table were given. */
struct words {
    char **word;
    int count;
    bool given[MOST_ROWS];
};
bool words_given(const struct words *words, const char *option);

/* Reads argv from [2] on into the command's options, which have their defaults.
 * False, with *status, after help or a message. */
bool command_parse(enum command command, int argc, char **argv, void *options,
                   struct words *words, int *status);

/* Prints a page of cli/help/, with these commands' lists below its headings in
 * capitals. */
void put_page(const char *name, unsigned commands);
void put_version(void);

/* Puts an argument at the row's place in the options. False after a message. */
bool take_value(const struct option_row *row, const char *argument,
                void *options);

/* Calls `take` for each option from argv[2] on, and moves other words to the
 * end; returns the place of the first of these. */
int options_each(enum command command, int argc, char **argv,
                 void (*take)(const struct option_row *row, const char *value,
                              void *context),
                 void *context);

/* Readers for OPTION_TAKE. Each adds to or replaces the value. */
bool take_patterns(const char *text, void *patterns); /* struct patterns */
bool take_shapes(const char *list, void *filter);     /* struct filter */
bool take_grids(const char *list, void *options);     /* struct options */
bool take_quick(const char *none, void *options);     /* the same */
bool take_devices(const char *list, void *options);   /* the same */
bool take_offsets(const char *list, void *options);   /* the same */
bool take_profile(const char *id, void *options);     /* the same */
bool take_plugin(const char *path, void *options);    /* the same */
bool take_pretend(const char *arch, void *gpu); /* const struct known_gpu * */
bool take_seed(const char *text, void *seed);   /* uint64_t */

/* Looks up the names of --op, maybe a plugin's. False after a message. */
bool take_late_ops(struct filter *filter);

/* Prints on stderr how the given shapes were understood. */
void say_shapes(const struct filter *filter);

/* Adds options of `check` from a family's record; shapes replace others. */
bool options_add(struct options *options, const char *words);

/* ----------------------------------------------------------------- messages */

/* These print on stderr and return false. "WHAT 'word': WHY" */
bool complain(const char *what, const char *word, const char *why);

/* The message, and a pointer to the command's help. */
bool misused(const char *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* "unknown WHAT 'word'" and the nearest name that the word misspells, spells
 * out (float32 for f32) or is a part of; then all names if they are few, or
 * else the command that lists them: scanbench LISTER. */
bool unknown_name(const char *lister, const char *what, const char *word,
                  const char *const *names, size_t count);

/* ------------------------------------------------------- arguments of a run */

/* Returns the command, its words and its options by their full names, quoted
 * for a shell; for free(). Options that do not change what is measured are left
 * out: --quiet, and --out, --resume and --plugin, whose paths are private. */
char *arguments_that_matter(enum command command, int argc, char *const *argv);

/* Replaces the options by those that began the run in options->resume. Words
 * given now must be among those of the manifest. *argc and *argv become the
 * manifest's, which live as long as the options. If no manifest can be read,
 * nothing changes, and the run itself reports that. False after a message. */
bool resume_options(int *argc, char ***argv, struct options *options);
