/* SPDX-License-Identifier: MIT
 *
 * What statuses and marks mean, in Markdown: docs/method.md has the same, and a
 * test compares them.
 */
#ifndef SRC_RUNS_ROW_WORDS_H
#define SRC_RUNS_ROW_WORDS_H

struct row_word {
    const char *name, *meaning;
};

/* Each ends with a NULL name. */
extern const struct row_word row_statuses[];
extern const struct row_word row_marks[];

#endif
