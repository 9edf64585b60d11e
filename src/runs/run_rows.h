/* SPDX-License-Identifier: MIT
 *
 * The rows of a run, read from the CSVs of its operations. Damaged lines are
 * reported and left out.
 */
#ifndef SRC_RUNS_RUN_ROWS_H
#define SRC_RUNS_RUN_ROWS_H

#include "src/runs/row.h"

/* Texts that are kept once each: a run's rows repeat few variants and reasons.
 * Starts as { 0 }. */
struct texts {
    void *root; /* of a tree */
};

/* The one copy of the text, which lives until texts_free(). Equal texts have
 * equal pointers. */
const char *texts_keep(struct texts *texts, const char *text);
void texts_free(struct texts *texts);

/* Starts as { 0 }. */
struct run_rows {
    struct row *row;
    size_t count, room;
    size_t damaged;     /* lines or files that were left out */
    struct texts texts; /* of the rows */
};

/* "cumsum.csv" */
enum { OP_FILE_BYTES = 32 };
char *op_file(enum op op, char name[OP_FILE_BYTES]);

/* Appends the rows of an operation's CSV, if there is one. */
void run_rows_read(struct run_rows *rows, enum op op, const char *folder,
                   const struct listener *listener);

/* Appends a row with copies of its texts. */
void run_rows_add(struct run_rows *rows, const struct row *row);

/* Sorts by run_row_order(), and then by the lines in the file. */
void run_rows_sort(struct run_rows *rows);

void run_rows_free(struct run_rows *rows);

/* Variants compete in a group: one operation, type, shape and cache state. A
 * cell is one variant of a group. Equal rows compare as 0. */
int run_group_order(const struct row *left, const struct row *right);
int run_cell_order(const struct row *left, const struct row *right);
int run_row_order(const struct row *left, const struct row *right);

/* run_row_order(), then the lines in the file; for qsort() of records that
 * begin with a row. */
int run_line_order(const void *left, const void *right);

/* The last of such sorted records whose row is equal, or NULL. */
const void *run_record_of(const void *records, size_t count, size_t bytes,
                          const struct row *row);

/* Verified and timed: ok or suspect, with a time. */
bool run_row_timed(const struct row *row);

#endif
