/* SPDX-License-Identifier: MIT
 *
 * Rows of a result: a table for people (aligned text, or Markdown) and records
 * for programs (CSV, or JSON).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "src/model/shape.h"

/* Some commands have only the first few; only `table` has FORMAT_GOOGLE. */
enum format {
    FORMAT_TEXT,
    FORMAT_JSON,
    FORMAT_CSV,
    FORMAT_MARKDOWN,
    FORMAT_GOOGLE
};

/* True for CSV and JSON, whose rows are records. */
static inline bool format_is_records(int format)
{
    return format == FORMAT_CSV || format == FORMAT_JSON;
}

enum { TEXT_TABLE_COLUMNS = 12 };

/* A heading that begins with '>' aligns its column to the right; a column under
 * one that begins with '`' is code in Markdown. A column that is empty in every
 * row is left out. Starts as { .headings = …, .columns = … }. */
struct text_table {
    const char *const *headings;
    size_t columns;
    struct text_cell {
        char *text;
        bool strong;
    } * cell; /* row by row */
    size_t count;
};

/* Adds the next cell, without control characters. */
void text_table_add(struct text_table *table, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Adds one double; empty if it is not finite. */
void text_table_real(struct text_table *table, const char *format,
                     double value);

/* Writes lines of at most `wide` characters: the last column is cut first, then
 * the first one shrinks, then lines are cut. On a terminal, cells that begin
 * with a state or a verdict are coloured, unless NO_COLOR is set. */
void text_table_write(const struct text_table *table, FILE *file, int wide);

/* Makes the last added cell bold on a terminal, to mark the winner. */
void text_table_strong(struct text_table *table);

void text_table_free(struct text_table *table);

/* Prints the table in one of the formats, and frees it. */
void text_table_print(struct text_table *table, int format, int wide);

/* Writes words to lines of at most `wide` characters, the first of which has
 * `used` already; the others are indented. */
void write_wrapped(FILE *file, const char *text, int used, int indent,
                   int wide);

/* Records on stdout. Every record has the same fields in the same order; the
 * first one also writes a CSV's line of names. Starts as { .json = …,
 * .digits = … }, and ends with records_end(). */
struct records {
    bool json;
    int digits;         /* of real numbers; 0 for nine */
    const char *prefix; /* of the names that follow, or NULL */
    size_t count;       /* of complete records */
    size_t fields;
    FILE *first; /* values of a CSV's first record, after the names */
    char *text;
    size_t bytes;
};

/* Add a field. A NULL text, a negative whole and a real number that is not
 * finite are empty in CSV, and null in JSON. */
void record_text(struct records *records, const char *name, const char *text);
void record_whole(struct records *records, const char *name, int64_t value);
void record_real(struct records *records, const char *name, double value);

/* Adds outer, axis and inner. */
void record_shape(struct records *records, struct shape shape);

void record_end(struct records *records);

/* Closes the list of JSON, which has no record if none was added. */
void records_end(struct records *records);

/* A cell's state, time and share, and a record of `table`. */
struct run_cell;
void record_figures(struct records *records, const struct run_cell *cell);
void record_run_cell(struct records *records, const struct run_cell *cell);

/* ----------------------------------------------------------- texts of a run */

/* Files of a run may be hostile: nothing in their texts acts as more than text
 * in a terminal, a page or a spreadsheet. Bytes that are not plain text
 * (src/base/csv.h) are left out. For a terminal: */
void write_plain(FILE *file, const char *text);
void put_plain(const char *text);

/* For Markdown, inside a table too: a code span, and running text. */
void put_code(const char *text);
void put_markdown(const char *text);

/* For HTML: text, or the value of a quoted attribute. */
void write_html(FILE *file, const char *text);

/* A string of JSON with its quotes; it cannot end a <script> around it. */
void write_json(FILE *file, const char *text);

/* A field of a CSV. A text that begins with one of = + - @, which a spreadsheet
 * would take for a formula, gets an apostrophe. */
void write_csv(FILE *file, bool first, const char *text);
