/* SPDX-License-Identifier: MIT
 *
 * A file that is written whole or not at all: it is written beside its place,
 * under an unused name, and replaces the old file when it is done. Devices,
 * pipes and links are written to directly.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct whole_file {
    FILE *file;
    const char *path;
    char *part; /* the file beside it, or NULL */
};

/* False with errno; then there is nothing to close. `path` is not copied. */
bool whole_file_open(struct whole_file *whole, const char *path);

/* Puts the file in its place, or removes it: false with errno. */
bool whole_file_close(struct whole_file *whole);

/* A file's text up to a NUL, for free(), and bytes; NULL with errno. */
char *whole_file_read(const char *path, size_t *bytes);

/* Reports a path that cannot be written, with errno. Returns false. */
bool cannot_write(const char *path);

/* Writes all bytes, in spite of signals. False with errno. */
bool write_all(int file, const void *data, size_t bytes);
