/* SPDX-License-Identifier: MIT
 *
 * Files that a command reads, generates, or compares with what it would
 * generate.
 */
#ifndef CLI_COMMON_PAGE_H
#define CLI_COMMON_PAGE_H

#include <limits.h>

#include "harness/options.h"
#include "src/choose/rules_file.h"

/* The options of `ladder` and `rules`. */
struct page_options {
    const char *write, *check; /* a file, or NULL */
    bool held_out;
    const struct known_gpu *as; /* or NULL */
    char **runs;
    int run_count;
};

/* False if the command should end with *status. */
bool page_parse(enum command command, int argc, char **argv,
                struct page_options *options, int *status);

/* The file's text, for free(), or NULL after a message. */
char *page_read(const char *path);

/* Reads a file of rules, for rules_free(). False after a message. */
bool page_read_rules(const char *path, struct rules *rules);

/* Replaces the file. False after a message. */
bool page_write(const char *path, const char *text);

/* EXIT_OK if the file holds that text; EXIT_WRONG after printing the first
 * difference and `how` to mend it; EXIT_BAD if it cannot be read. */
int page_check(const char *path, const char *text, const char *how);

/* Sets *path to the first of two files that exists. Both are relative to the
 * program's folder, so that the installation and the build can be moved. False
 * if there is neither. */
bool installed_file(const char *installed, const char *built,
                    char path[PATH_MAX]);

#endif
