/* SPDX-License-Identifier: MIT
 *
 * The rows of a run, read from its <op>.csv files. Damaged lines are reported
 * and left out.
 */
#ifndef SRC_RUNS_RUN_ROWS_H
#define SRC_RUNS_RUN_ROWS_H

#include "src/runs/listener.h"
#include "src/runs/row.h"
#include "src/runs/texts.h"

/* Starts as { 0 }. The rows' texts are those of `texts`, where equal ones are
 * one pointer. */
struct run_rows {
    struct row *row;
    size_t count, room;
    size_t damaged; /* lines or files that were left out */
    struct texts texts;
};

/* Appends the rows of FOLDER/<op>.csv, if it exists. A file that cannot be
 * read, or lacks a needed column, is reported and left out; other missing
 * columns are reported. */
void run_rows_read(struct run_rows *rows, enum op op, const char *folder,
                   const struct listener *listener);

/* Appends a row, with texts of its own. */
void run_rows_add(struct run_rows *rows, const struct row *row);

/* Sorts by run_row_order(); rows of the same process of a cell keep the order
 * of their lines. */
void run_rows_sort(struct run_rows *rows);

void run_rows_free(struct run_rows *rows);

/* Variants compete in a group: one operation, type, shape and cache state. A
 * cell is one variant of a group. Equal rows compare as 0. */
int run_group_order(const struct row *left, const struct row *right);
int run_cell_order(const struct row *left, const struct row *right);
int run_row_order(const struct row *left, const struct row *right);

/* Verified and timed: ok or suspect, with a time. */
bool run_row_timed(const struct row *row);

#endif
