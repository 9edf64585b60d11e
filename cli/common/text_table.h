/* SPDX-License-Identifier: MIT
 *
 * A table for a person: aligned columns on a terminal, or Markdown.
 */
#ifndef CLI_COMMON_TEXT_TABLE_H
#define CLI_COMMON_TEXT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { TEXT_TABLE_COLUMNS = 12 };

/* Headings that begin with '>' are of columns that are flush right; the last
 * column takes the room that is left, and is cut. A column without a text in
 * any row is left out. Starts as { .headings = …, .columns = … }. */
struct text_table {
    const char *const *headings;
    size_t columns;
    char **cell; /* row by row */
    size_t count;
};

/* The next cell, copied as far as it is plain text. */
void text_table_add(struct text_table *table, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Lines of at most `wide` columns: the last column is cut, then the first gives
 * way, then lines are cut. */
void text_table_write(const struct text_table *table, FILE *file, int wide);

/* On stdout. */
void text_table_markdown(const struct text_table *table);

void text_table_free(struct text_table *table);

#endif
