/* SPDX-License-Identifier: MIT
 *
 * A CSV file that grows by whole lines: a line is on disk when append says so,
 * and one that cannot be written leaves nothing behind.
 */
#ifndef HARNESS_RUN_FOLDER_TABLE_H
#define HARNESS_RUN_FOLDER_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Starts as { 0 }: not open. */
struct table {
    bool is_open;
    int fd;
    off_t bytes;
};

/* All return false with errno. Creates a file that must not be there yet. */
bool table_create(struct table *table, const char *path);

/* Goes on at the end of a file. */
bool table_reopen(struct table *table, const char *path);

/* Nobody else may write here until this process ends; false with EAGAIN or
 * EACCES if somebody does. */
bool table_lock(struct table *table);

bool table_append(struct table *table, const char *text, size_t bytes);

bool table_close(struct table *table);

/* Reads a file for going on with it. take() is told of every record, the
 * header first (line 1), and returns NULL, or what is wrong with it. What is
 * wrong is named on stderr and taken out: the last line, if it is torn, for
 * good; others go to PATH.damaged. False, after a message, if the file cannot
 * be mended; a wrong header cannot. */
struct table_reader {
    const char *(*take)(void *context, char *const *fields, size_t count,
                        int64_t line);
    void *context;
};
bool table_mend(const char *path, const struct table_reader *reader);

#endif
