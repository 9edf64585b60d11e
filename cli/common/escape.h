/* SPDX-License-Identifier: MIT
 *
 * Texts of a run's files, and of names, for whoever reads what is made of
 * them. They may come from a stranger: what a terminal, a web page or a
 * spreadsheet would take for more than text is written so that it does not.
 */
#ifndef CLI_COMMON_ESCAPE_H
#define CLI_COMMON_ESCAPE_H

#include <stdbool.h>
#include <stdio.h>

/* For a terminal: what is no plain text (src/base/plain_text.h) is left out. */
void write_plain(FILE *file, const char *text);
void put_plain(const char *text);

/* For Markdown: as a code span, in a table as well, and as plain text. */
void put_code(const char *text);
void put_markdown(const char *text);

/* For HTML: as text, or as a quoted attribute's value. */
void write_html(FILE *file, const char *text);

/* For JSON, with its quotes; inside <script>, too, which nothing in it ends. */
void write_json(FILE *file, const char *text);

/* A field of a CSV that spreadsheets may open, where a text that begins with
 * one of = + - @ is a formula: it gets an apostrophe. */
bool put_csv(bool first, const char *text);

#endif
