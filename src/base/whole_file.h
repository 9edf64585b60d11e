/* SPDX-License-Identifier: MIT
 *
 * Files that are read or written whole.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Writes bytes to a file, or leaves it as it was: false with errno. They are
 * written beside it, under an unused name, and replace it when they are on
 * disk; signals wait for that. Devices, pipes and links are written to
 * directly. */
bool whole_file_write(const char *path, const char *text, size_t bytes);

/* A file's text up to a NUL, for free(), and bytes; NULL with errno. */
char *whole_file_read(const char *path, size_t *bytes);

/* Reports a path that cannot be written, with errno. Returns false. */
bool cannot_write(const char *path);

/* Writes all bytes, in spite of signals. False with errno. */
bool write_all(int file, const void *data, size_t bytes);
