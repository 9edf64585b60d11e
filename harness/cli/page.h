/* SPDX-License-Identifier: MIT
 *
 * What a command generates, printed, written to a file or held against it.
 */
#ifndef HARNESS_CLI_PAGE_H
#define HARNESS_CLI_PAGE_H

#include <stdbool.h>
#include <stddef.h>

/* A whole file's text, for free(); NULL, after saying why. */
char *page_read(const char *path);

/* Replaces the file. False after saying why. */
bool page_write(const char *path, const char *text);

/* EXIT_OK if the file holds that text; else EXIT_WRONG after saying where they
 * differ first and `how` it is mended, or EXIT_BAD. */
int page_check(const char *path, const char *text, const char *how);

#endif
