/* SPDX-License-Identifier: MIT
 *
 * A row: one measurement of a cell by one process. It is the same struct from
 * the harness, which fills it in, to the line of a CSV, and to the analysis
 * that reads the line back. row_columns is the list of what is stored;
 * results/README.md is generated from it.
 */
#ifndef SRC_RUNS_ROW_H
#define SRC_RUNS_ROW_H

#include <stdio.h>

#include "src/base/stats.h"
#include "src/model/op.h"

enum cache { CACHE_COLD, CACHE_HOT, CACHE_COUNT };

enum status {
    STATUS_OK,
    STATUS_SUSPECT,
    STATUS_UNSTABLE,
    STATUS_SLOW,
    STATUS_UNTRIED,
    STATUS_SKIP,
    STATUS_WRONG,
    STATUS_ERROR,
    STATUS_TIMEOUT,
    STATUS_COUNT
};

bool status_is_timed(enum status status);   /* ok or suspect: the times count */
bool status_is_sampled(enum status status); /* that, or unstable: has times */
bool status_is_passed(enum status status);  /* that, or slow: was verified */
bool status_is_left_out(enum status status); /* skip or untried: not launched */
bool status_is_failed(enum status status);   /* wrong, error or timeout */

const char *cache_name(enum cache cache);
bool cache_parse(const char *name, enum cache *cache);
const char *status_name(enum status status);
bool status_parse(const char *name, enum status *status);

/* Notes on a timed row, a set of bits. */
enum mark {
    MARK_NEAR_EMPTY = 1,
    MARK_UNGATED = 2,
    MARK_CACHE_ASSISTED = 4,
    MARK_ABOVE_CEILING = 8
};

/* The names joined by "+", in a text that lasts; "" without a mark. */
const char *marks_text(unsigned marks);
bool marks_parse(const char *text, unsigned *marks);

/* Unknown integers are negative, unknown reals NaN; texts are never NULL. */
struct row {
    const char *variant, *family; /* family: without the tuning points */
    enum op op;
    enum dtype dtype;
    enum cache cache;
    enum status status;
    struct shape shape;
    int64_t process;
    const char *reason;
    unsigned marks;
    struct stats us; /* count 0 if it was not timed */
    int64_t discarded;
    double launch_us, host_us, exchange_us;
    double gbps, pct_ceiling, passes;
    double max_err, err_bound;
    double sm_mhz, sm_counted_mhz, mem_mhz, temp_c, power_w;
    const char *throttle, *card;
    int64_t ranks, gpus;
    int64_t line; /* in its CSV */
};

/* A row of which nothing is known; it is an error until set otherwise. */
struct row row_unknown(void);

/* The compulsory traffic: inputs once, outputs once. */
int64_t row_bytes(const struct row *row);

/* Sets the share of a ceiling, unless either rate is unknown. */
void row_set_ceiling(struct row *row, double ceiling_gbps);

/* ----------------------------------------------------------------- the CSV */

enum row_kind {
    ROW_TEXT,
    ROW_DTYPE,
    ROW_CACHE,
    ROW_STATUS,
    ROW_MARKS,
    ROW_COUNT, /* 0 is an empty field, as is any other unknown number */
    ROW_INTEGER,
    ROW_REAL
};

/* How a reader of a whole run treats a file without the column: it leaves the
 * file out, reports that the column is missing, or says nothing, as the columns
 * of runs over several devices or cards may be absent. */
enum row_need { ROW_NEEDED, ROW_EXPECTED, ROW_OPTIONAL };

struct row_column {
    const char *name;
    enum row_kind kind;
    enum row_need need;
    size_t offset; /* in struct row */
    const char *meaning;
};

enum { ROW_COLUMN_COUNT = 36, ROW_TEXT_BYTES = 256, ROW_PROBLEM_BYTES = 160 };
extern const struct row_column row_columns[ROW_COLUMN_COUNT];

/* Each writes one line; false if the file did not take it. */
bool row_write_header(FILE *file);
bool row_write(FILE *file, const struct row *row);

/* The field that holds each column, or -1. */
struct row_header {
    int field[ROW_COLUMN_COUNT];
    size_t fields;
};

/* Finds the columns by the names in a file's first line, in any order. Unknown
 * names are ignored. False, with what is wrong in `problem`, if a column stands
 * twice or a needed one is missing. */
bool row_read_header(struct row_header *header, char *const *fields,
                     size_t count, char problem[ROW_PROBLEM_BYTES]);

/* The texts of the row point into the fields; its op is the caller's to set,
 * and its family is unknown. */
bool row_read(const struct row_header *header, char *const *fields,
              size_t count, struct row *row, char problem[ROW_PROBLEM_BYTES]);

#endif
