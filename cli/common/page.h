/* SPDX-License-Identifier: MIT
 *
 * Files that a command reads, or generates from runs.
 */
#ifndef CLI_COMMON_PAGE_H
#define CLI_COMMON_PAGE_H

#include <limits.h>

#include "cli/common/runs.h"
#include "src/choose/rules.h"

/* The options of `ladder`, `rules` and `report`. */
struct page_options {
    const char *write; /* a file; NULL for stdout */
    bool held_out;
    const struct known_gpu *as; /* or NULL */
};

/* -------------------------------------------------------- options of regret */

enum regret_format {
    REGRET_TEXT,
    REGRET_MARKDOWN,
    REGRET_CSV,  /* the quantiles */
    REGRET_CELLS /* every cell, as CSV */
};

/* Limits for the exit status, per cent; NaN if there is none. */
enum { REGRET_MOST = 2, REGRET_LEAST = 3 };
struct regret_limits {
    double pct[REGRET_MOST + REGRET_LEAST]; /* regret: 90th and 99th percentile;
                                               share: 5th, 25th and 50th */
    double most_low;                        /* number of low cells */
};

struct regret_options {
    struct filter filter;
    const char *variant;
    const char *rules; /* file that replaces the variant, or NULL */
    int format;        /* enum regret_format */
    int top;           /* cells listed of each kind; 0 for all */
    struct regret_limits limits;
};

/* -------------------------------------------------------------------- files */

/* Parses the options, and reads the runs, at least one of them a GPU's. False
 * if the command should end with *status; the set is freed in either case. */
bool page_begin(enum command command, int argc, char **argv,
                struct page_options *options, struct published *set,
                int *status);

/* Writes the text to a file; returns the exit status, after a message. */
int page_write(const char *path, const char *text);

/* Returns the file's text, for free(), or NULL after a message. */
char *page_read(const char *path);

/* Reads a file of rules, for rules_free(). False after a message. */
bool page_read_rules(const char *path, struct rules *rules);

/* Sets *path to the first of two files that exists, both relative to the
 * program's folder, so that an installation or a build can be moved. False if
 * neither exists. */
bool installed_file(const char *installed, const char *built,
                    char path[PATH_MAX]);

#endif
