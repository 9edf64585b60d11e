/* SPDX-License-Identifier: MIT
 *
 * CSV as RFC 4180 has it, one record per line: a line break inside a field is
 * written as a space, so that gnuplot, grep and a reader that resumes after a
 * crash see whole records; so is whatever else is no plain text (plain_text.h),
 * and a line that holds such is damaged: nothing that is read from a file can
 * reach a terminal as a command.
 */
#ifndef SRC_BASE_CSV_H
#define SRC_BASE_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Writes one field, after a comma unless it is the first, in quotes only if it
 * needs them. False if the file did not take it. */
bool csv_write_field(FILE *file, bool first, const char *text);
bool csv_write_end(FILE *file);

/* The same of numbers, nine digits of them; an unknown one (negative, not
 * finite) is an empty field. */
bool csv_write_integer(FILE *file, bool first, int64_t number);
bool csv_write_real(FILE *file, bool first, double number);

/* Splits a line in place: fields[k] point into it, without their quotes; a
 * line break at its end is dropped. Returns how many fields there are, or 0
 * with *problem set if the line is damaged or has more than max_fields. */
size_t csv_split(char *line, char **fields, size_t max_fields,
                 const char **problem);

/* A longer line is none that was written here, and would fill the memory. */
enum { CSV_LINE_BYTES = 1 << 20 };

/* Reads a file record by record; empty lines are passed over. Start with
 * { .file = … }. */
struct csv_reader {
    FILE *file;
    int64_t line;        /* number of the line read last, from 1 */
    const char *problem; /* what is wrong with it, or NULL */
    bool torn;           /* it does not end in a line break: the last field may
                            be cut short */
    bool unreadable;     /* from here on, or a line without end: said once as a
                            problem, then the end */
    char *text;
    size_t text_bytes;
};

/* The next record's number of fields, valid until the next call. 0: the end,
 * or, with `problem` set, a damaged line or disk; reading on after that is
 * fine, and ends. */
size_t csv_read(struct csv_reader *reader, char **fields, size_t max_fields);

/* Takes a field that is a number and nothing else: no spaces, no "inf", "nan"
 * or hexadecimals, no integer below 0. An empty field is unknown, and leaves
 * *number as it is. */
bool csv_read_integer(const char *field, int64_t *number);
bool csv_read_real(const char *field, double *number);

/* Frees the reader's memory; the file stays open. */
void csv_read_end(struct csv_reader *reader);

#endif
