/* SPDX-License-Identifier: MIT
 *
 * A CSV file that grows by whole lines: a line is on disk when append says so,
 * and one that cannot be written leaves nothing behind.
 */
#ifndef SRC_RUNS_JOURNAL_H
#define SRC_RUNS_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Starts as { 0 }: not open. */
struct journal {
    bool is_open;
    int fd;
    off_t bytes;
};

/* All return false with errno. Creates a file that must not be there yet. */
bool journal_create(struct journal *journal, const char *path);

/* Goes on at the end of a file. */
bool journal_reopen(struct journal *journal, const char *path);

/* Nobody else may write here until this process ends; false with EAGAIN or
 * EACCES if somebody does. */
bool journal_lock(struct journal *journal);

bool journal_append(struct journal *journal, const char *text, size_t bytes);

bool journal_close(struct journal *journal);

/* Reads a file for going on with it. take() is told of every record, the
 * header first (line 1), and returns NULL, or what is wrong with it. What is
 * wrong is named on stderr and taken out: the last line, if it is torn, for
 * good; others go to PATH.damaged. False, after a message, if the file cannot
 * be mended; a wrong header cannot. */
struct journal_reader {
    const char *(*take)(void *context, char *const *fields, size_t count,
                        int64_t line);
    void *context;
    const char *loss; /* what a line that was taken out means, to tell */
};
bool journal_mend(const char *path, const struct journal_reader *reader);

#endif
