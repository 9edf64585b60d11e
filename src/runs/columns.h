/* SPDX-License-Identifier: MIT
 *
 * The CSVs of a run's folder. A file's lines are written and read by its table
 * of columns, into a struct. results/README.md explains each column.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* An unknown value is an empty field. */
enum column_kind {
    COLUMN_TEXT,      /* const char *; shorter than ROW_TEXT_BYTES */
    COLUMN_LONG_TEXT, /* const char * */
    COLUMN_OP,        /* int; unknown: -1 */
    COLUMN_DTYPE,
    COLUMN_CACHE,
    COLUMN_STATUS,
    COLUMN_MARKS,   /* unsigned */
    COLUMN_LINES,   /* struct ragged_lines; plain: an empty field */
    COLUMN_COUNT,   /* size_t; unknown: 0 */
    COLUMN_INTEGER, /* int64_t; unknown: negative */
    COLUMN_REAL     /* double; unknown: NaN */
};

/* A file without a needed column is left out. */
enum column_need { COLUMN_OPTIONAL, COLUMN_NEEDED };

struct csv_column {
    const char *name;
    enum column_kind kind;
    enum column_need need;
    size_t offset; /* of the member in its struct */
};

struct columns {
    const struct csv_column *column;
    int count;
};

#define COLUMN(type, name, member, kind, need)                                 \
    {                                                                          \
#name, COLUMN_##kind, COLUMN_##need, offsetof(struct type, member)     \
    }
#define COLUMNS_OF(columns)                                                    \
    {                                                                          \
        columns, sizeof(columns) / sizeof *(columns)                           \
    }

enum { COLUMNS_MOST = 64, ROW_TEXT_BYTES = 256, PROBLEM_BYTES = 160 };

/* Sets all members with a column to unknown, and enums to 0. */
void columns_clear(const struct columns *columns, void *record);

/* ----------------------------------------------------------------- writing */

/* Each writes one line. */
void columns_write_names(FILE *file, const struct columns *columns);
void columns_write(FILE *file, const struct columns *columns,
                   const void *record);

/* ----------------------------------------------------------------- reading */

/* The field that holds each column, or -1. */
struct header {
    int field[COLUMNS_MOST];
    size_t fields;
};

/* Finds the columns by name in a file's first line; ignores unknown names.
 * False, with the problem, for a column twice or a needed one missing. */
bool columns_find(const struct columns *columns, struct header *header,
                  char *const *fields, size_t count,
                  char problem[PROBLEM_BYTES]);

/* Reads one line. Texts of the record point into the fields. */
bool columns_read(const struct columns *columns, const struct header *header,
                  char *const *fields, size_t count, void *record,
                  char problem[PROBLEM_BYTES]);

/* A file to read. `take` gets the record with each line, and returns NULL or
 * the reason to leave the line out, which may be in `problem`. A record may be
 * the first member of a larger struct. */
struct columns_file {
    const struct columns *columns;
    const char *folder, *name;
    bool optional; /* nothing is wrong if there is no such file */
    void *record;
    const char *(*take)(void *record, int64_t line,
                        char problem[PROBLEM_BYTES]);
    const struct listener *listener; /* or NULL */
};

/* Reads FOLDER/NAME. Damage is reported and left out; returns how many lines
 * that were, or 1 for the whole file. */
size_t columns_read_file(const struct columns_file *file);

/* ----------------------------------------------------------------- problems */

/* Receives the problems found in a run's files. */
struct listener {
    /* The file, its line (0: the whole), the problem, and how to mend it. */
    void (*hear)(void *context, const char *path, int64_t line,
                 const char *problem, const char *remedy);
    void *context;
};

/* Reports a problem, unless there is no listener. */
static inline void listener_tell(const struct listener *listener,
                                 const char *path, int64_t line,
                                 const char *problem, const char *remedy)
{
    if (listener)
        listener->hear(listener->context, path, line, problem, remedy);
}

/* A broken disk can damage every line: of one file or folder this many problems
 * are printed, and the rest only counted. */
enum { LISTENER_SAYS = 10 };

/* Prints on stderr how many problems more there were, if any. */
static inline void listener_say_rest(const char *path, int heard)
{
    if (heard > LISTENER_SAYS)
        fprintf(stderr, "scanbench: %s: and %d problems more\n", path,
                heard - LISTENER_SAYS);
}
