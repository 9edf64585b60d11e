/* SPDX-License-Identifier: MIT
 *
 * Texts of a run's files on stdout. They may come from a stranger: what a
 * terminal or a web page would take for more than text is written so that it
 * does not.
 */
#ifndef HARNESS_CLI_ESCAPE_H
#define HARNESS_CLI_ESCAPE_H

/* For a terminal: without control characters. */
void put_plain(const char *text);

/* For Markdown: as a code span, in a table as well, and as plain text. */
void put_code(const char *text);
void put_markdown(const char *text);

#endif
