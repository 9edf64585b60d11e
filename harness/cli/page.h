/* SPDX-License-Identifier: MIT
 *
 * What a command generates, printed, written to a file or held against it.
 */
#ifndef HARNESS_CLI_PAGE_H
#define HARNESS_CLI_PAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "src/rules_file.h"

/* What the command line of such a command says. */
struct page_options {
    const char *write, *check; /* the file; NULL: not asked for */
    const char *value;         /* of that option, or NULL */
    bool flag;
    char **runs;
    int run_count;
};

struct page_usage {
    const char *command, *help;
    const char *purpose; /* what the runs are "to ..." */
    const char *write;   /* the option of the file; "out" is -o, too */
    const char *flag;    /* one more option, which takes no value, or NULL */
    const char *value;   /* beside it one that takes one, and goes with any */
};

/* False: the command ends with that status, everything said. */
bool page_options(int argc, char **argv, const struct page_usage *usage,
                  struct page_options *options, int *status);

/* A whole file's text, for free(); NULL, after saying why. */
char *page_read(const char *path);

/* The rules of a file, for rules_free(). False after saying why. */
bool page_read_rules(const char *path, struct rules *rules);

/* Replaces the file. False after saying why. */
bool page_write(const char *path, const char *text);

/* EXIT_OK if the file holds that text; else EXIT_WRONG after saying where they
 * differ first and `how` it is mended, or EXIT_BAD. */
int page_check(const char *path, const char *text, const char *how);

#endif
