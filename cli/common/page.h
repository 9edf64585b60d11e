/* SPDX-License-Identifier: MIT
 *
 * What a command generates, printed, written to a file or held against it.
 */
#ifndef CLI_COMMON_PAGE_H
#define CLI_COMMON_PAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/options.h"
#include "src/choose/rules_file.h"

/* What the command line of `ladder` or `rules` says. */
struct page_options {
    const char *write, *check;  /* the file; NULL: not asked for */
    bool held_out;              /* these two: of `rules` */
    const struct known_gpu *as; /* or NULL */
    char **runs;
    int run_count;
};

/* False: the command ends with that status, everything said. */
bool page_parse(enum command command, int argc, char **argv,
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
