/* SPDX-License-Identifier: MIT
 *
 * A result row: one measured cell. ROW_COLUMNS is the one definition of the
 * columns; the struct, the CSV and its reader follow from it, and
 * results/README.md is checked against it.
 */
#ifndef SRC_RUNS_ROW_H
#define SRC_RUNS_ROW_H

#include <stdio.h>

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

/* What a status says of its row. */
bool status_is_timed(enum status status);   /* ok or suspect: the times count */
bool status_is_sampled(enum status status); /* that, or unstable: has times */
bool status_is_passed(enum status status);  /* that, or slow: was verified */
bool status_is_left_out(enum status status); /* skip or untried: not launched */
bool status_is_failed(enum status status);   /* wrong, error or timeout */

const char *cache_name(enum cache cache);
bool cache_parse(const char *name, enum cache *cache);
const char *status_name(enum status status);
bool status_parse(const char *name, enum status *status);

/* X(kind, name, meaning and unit). An empty field is an unknown number, or no
 * text. */
#define ROW_COLUMNS(X)                                                         \
    X(TEXT, device, "Name of the GPU, or of the host's processor")             \
    X(OP, op, "Operation")                                                     \
    X(TEXT, variant, "Variant: one kernel design at one tuning point")         \
    X(TEXT, family, "Its name without the tuning points")                      \
    X(DTYPE, dtype, "Element type")                                            \
    X(INTEGER, outer, "Extent before the axis, elements")                      \
    X(INTEGER, axis, "Extent of the axis worked along, elements")              \
    X(INTEGER, inner, "Extent after the axis (a line's stride), elements")     \
    X(CACHE, cache,                                                            \
      "State of the last-level cache before each sample: cold, hot")           \
    X(INTEGER, process, "Which of the run's fresh processes, from 0")          \
    X(STATUS, status,                                                          \
      "ok, suspect, unstable, slow, untried, skip, wrong, error or timeout")   \
    X(TEXT, reason, "Why the status is not ok")                                \
    X(TEXT, marks, "What to know of a timed row, words joined by +")           \
    X(INTEGER, samples, "Timed samples kept")                                  \
    X(INTEGER, discarded, "Samples thrown away: taken while throttled")        \
    X(REAL, launch_us,                                                         \
      "The shorter of the two verified launches, microseconds")                \
    X(REAL, min_us, "Shortest sample, microseconds")                           \
    X(REAL, q1_us, "Lower quartile of the samples, microseconds")              \
    X(REAL, median_us, "Median of the samples, microseconds")                  \
    X(REAL, q3_us, "Upper quartile of the samples, microseconds")              \
    X(REAL, max_us, "Longest sample, microseconds")                            \
    X(REAL, ci_low_us,                                                         \
      "Lower end of the median's 95 % confidence interval, microseconds")      \
    X(REAL, ci_high_us, "Upper end of the same, microseconds")                 \
    X(REAL, host_us,                                                           \
      "Median by the host's clock, launch to end, microseconds")               \
    X(INTEGER, bytes, "Compulsory traffic: inputs once, outputs once, bytes")  \
    X(REAL, gbps, "bytes / median_us, in 1e9 bytes a second")                  \
    X(REAL, ceiling_gbps,                                                      \
      "The same of the traffic twin's best variant in this run")               \
    X(REAL, pct_ceiling, "gbps / ceiling_gbps, per cent")                      \
    X(REAL, passes, "Times the variant moves `bytes`, by its design")          \
    X(REAL, max_err,                                                           \
      "Largest error beyond the final rounding, in units of u * sum |x|")      \
    X(REAL, err_bound, "What max_err may be: additions on the longest path")   \
    X(REAL, sm_mhz, "Clock of the multiprocessors as NVML says, MHz")          \
    X(REAL, sm_counted_mhz,                                                    \
      "The same by the device's own counters over the samples, MHz")           \
    X(REAL, mem_mhz, "Clock of the memory, MHz")                               \
    X(REAL, temp_c, "Temperature of the device, degrees Celsius")              \
    X(REAL, power_w, "Power drawn, watts")                                     \
    X(TEXT, throttle, "NVML's reasons for a lowered clock, words joined by +") \
    X(INTEGER, ranks, "Parts that the tensor was split into; empty: whole")    \
    X(INTEGER, gpus,                                                           \
      "GPUs that held those parts; 1: streams of one GPU stood in; 0: the "    \
      "host")                                                                  \
    X(REAL, exchange_us,                                                       \
      "Median of the exchange between the ranks alone, microseconds")          \
    X(TEXT, card,                                                              \
      "`gpu_hash` of the card, where another card than the manifest's went "   \
      "on with the run; else empty")

enum { ROW_TEXT_BYTES = 256, ROW_PROBLEM_BYTES = 160 };

/* Unknown: a negative integer, a real that is NaN or infinite. */
#define ROW_FIELD_TEXT(name) char name[ROW_TEXT_BYTES];
#define ROW_FIELD_OP(name) enum op name;
#define ROW_FIELD_DTYPE(name) enum dtype name;
#define ROW_FIELD_CACHE(name) enum cache name;
#define ROW_FIELD_STATUS(name) enum status name;
#define ROW_FIELD_INTEGER(name) int64_t name;
#define ROW_FIELD_REAL(name) double name;

struct row {
#define FIELD(kind, name, meaning) ROW_FIELD_##kind(name)
    ROW_COLUMNS(FIELD)
#undef FIELD
};

enum row_kind {
    ROW_TEXT,
    ROW_OP,
    ROW_DTYPE,
    ROW_CACHE,
    ROW_STATUS,
    ROW_INTEGER,
    ROW_REAL
};

struct row_column {
    enum row_kind kind;
    const char *name, *meaning;
    size_t offset; /* in struct row */
};

enum {
#define COUNT(kind, name, meaning) +1
    ROW_COLUMN_COUNT = ROW_COLUMNS(COUNT)
#undef COUNT
};

extern const struct row_column row_columns[ROW_COLUMN_COUNT];

/* Nothing known, and an error until somebody says otherwise. */
struct row row_unknown(void);

/* Marks are words joined by '+'. row_add_marks() adds those of `more` that are
 * not there yet and have room in `bytes`. */
bool row_has_mark(const char *marks, const char *word);
void row_add_marks(char *marks, size_t bytes, const char *more);

/* One line each; false if the file did not take it. */
bool row_write_header(FILE *file);
bool row_write(FILE *file, const struct row *row);

/* Which of a file's fields holds each column, or -1. */
struct row_header {
    int field[ROW_COLUMN_COUNT];
    size_t fields;
};

/* Finds the columns by the names in a file's first line, in any order; names
 * it does not know are passed over, columns that are missing stay unknown,
 * except for op, dtype, cache and status, which a row cannot do without. False,
 * with what is wrong in `problem`, otherwise. */
bool row_read_header(struct row_header *header, char *const *fields,
                     size_t count, char problem[ROW_PROBLEM_BYTES]);
bool row_read(const struct row_header *header, char *const *fields,
              size_t count, struct row *row, char problem[ROW_PROBLEM_BYTES]);

#endif
