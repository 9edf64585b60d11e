/* SPDX-License-Identifier: MIT
 *
 * A file that is there in whole or not at all: it is written beside its place,
 * under a name that nothing has, and what lay there stays until it is done.
 * What is no regular file (a device, a pipe, a link) is written to as it is.
 */
#ifndef SRC_BASE_WHOLE_FILE_H
#define SRC_BASE_WHOLE_FILE_H

#include <stdbool.h>
#include <stdio.h>

struct whole_file {
    FILE *file;
    const char *path;
    char *part; /* the file beside it, or NULL */
};

/* False with errno; nothing is to be closed then. `path` is kept. */
bool whole_file_open(struct whole_file *whole, const char *path);

/* The same under a name that the user did not give: a link there, or whatever
 * it is, is replaced. */
bool whole_file_replace(struct whole_file *whole, const char *path);

/* Puts it in its place; or, where writing failed, removes it: false with
 * errno. */
bool whole_file_close(struct whole_file *whole);

#endif
