/* SPDX-License-Identifier: MIT
 *
 * A CSV file that grows by whole lines: a line is on disk when append_text()
 * returns, and one that cannot be written leaves nothing behind. Functions
 * return false with errno.
 */
#ifndef SRC_RUNS_APPEND_H
#define SRC_RUNS_APPEND_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Starts as { 0 }: not open. */
struct append {
    bool is_open;
    int fd;
    off_t bytes;
};

/* Creates a file that must not exist yet. */
bool append_create(struct append *file, const char *path);

/* Opens an existing file to append to it, once append_drop_torn() has dropped
 * a last line that was cut short while it was written: *torn. */
bool append_open(struct append *file, const char *path);
bool append_drop_torn(struct append *file, bool *torn);

/* Keeps other processes from append_lock() on this file until this one ends;
 * EAGAIN or EACCES if another one has it. */
bool append_lock(struct append *file);

bool append_text(struct append *file, const char *text, size_t bytes);

bool append_close(struct append *file);

#endif
