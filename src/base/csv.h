/* SPDX-License-Identifier: MIT
 *
 * CSV after RFC 4180, with one record per line: a line break inside a field is
 * written as a space, so that gnuplot, grep and a reader after a crash find
 * whole records. Other bytes that are not plain text (below) are also
 * written as spaces, and a line with such bytes is damaged, so that no file can
 * send commands to a terminal.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Writes one field, after a comma unless first, in quotes if necessary. */
void csv_write_field(FILE *file, bool first, const char *text);

/* Splits a line in place: fields[k] point into it, without quotes and line
 * break. Returns the number of fields, or 0 with *problem set if the line is
 * damaged or has more than max_fields. */
size_t csv_split(char *line, char **fields, size_t max_fields,
                 const char **problem);

/* Longer lines are damaged, as a hole in a file would fill the memory. */
enum { CSV_LINE_BYTES = 1 << 20 };

/* Reads a file record by record and ignores empty lines. Starts as
 * { .file = … }. */
struct csv_reader {
    FILE *file;
    int64_t line;        /* number of the last line, from 1 */
    const char *problem; /* of that line, or NULL */
    bool torn;           /* it has no line break: it may be cut short */
    bool unreadable;     /* the rest of the file, after one problem */
    char *text;
    size_t text_bytes;
};

/* Reads the next record, valid until the next call, and returns its number of
 * fields; 0 at the end or, if `problem` is set, for a damaged line. */
size_t csv_read(struct csv_reader *reader, char **fields, size_t max_fields);

/* Read a number: no spaces, no "inf", "nan" or hexadecimals, and no negative
 * integer. An empty field is unknown and leaves *number as it is. */
bool csv_read_integer(const char *field, int64_t *number);
bool csv_read_real(const char *field, double *number);

/* Frees the reader's memory; the file stays open. */
void csv_read_end(struct csv_reader *reader);

/* --------------------------------------------------------------- plain text */

/* Files and names may come from anyone, and a terminal obeys control
 * characters. Returns the bytes of the character at `at`; 0 if it cannot be
 * printed: the end, a control character, a change of direction, a line break,
 * or no UTF-8. */
size_t plain_char(const char *at);

/* True if all of the text can be printed. */
bool plain_text(const char *text);

/* Writes a blank and a word, quoted for a shell if necessary. */
void write_word(FILE *file, const char *word);

/* Replaces each byte that cannot be printed with a space. */
void plain_make(char *text);
