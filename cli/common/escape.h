/* SPDX-License-Identifier: MIT
 *
 * Writers of texts that come from a run's files, which may be hostile: nothing
 * in them acts as more than text in a terminal, a page or a spreadsheet. All
 * leave out what is no plain text (src/base/csv.h).
 */
#ifndef CLI_COMMON_ESCAPE_H
#define CLI_COMMON_ESCAPE_H

#include <stdbool.h>
#include <stdio.h>

/* For a terminal. */
void write_plain(FILE *file, const char *text);
void put_plain(const char *text);

/* For Markdown, inside a table too: a code span, and running text. */
void put_code(const char *text);
void put_markdown(const char *text);

/* For HTML: text, or the value of a quoted attribute. */
void write_html(FILE *file, const char *text);

/* A string of JSON with its quotes; it cannot end a <script> around it. */
void write_json(FILE *file, const char *text);

/* A field of a CSV. A text that a spreadsheet would take for a formula, as it
 * begins with one of = + - @, gets an apostrophe. */
void write_csv(FILE *file, bool first, const char *text);

#endif
