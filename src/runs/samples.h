/* SPDX-License-Identifier: MIT
 *
 * samples.csv: every kept sample of every timed cell, which `run --samples`
 * writes: a line for each process of a cell, its samples in one field.
 * SAMPLES_COLUMNS is the one definition of its columns; results/README.md is
 * checked against it.
 */
#ifndef SRC_RUNS_SAMPLES_H
#define SRC_RUNS_SAMPLES_H

#include <stdio.h>

#include "src/runs/run_cell.h"
#include "src/runs/run_folder.h"

#define SAMPLES_FILE "samples.csv"

/* X(name, meaning), in order. */
#define SAMPLES_COLUMNS(X)                                                     \
    X(op, "The cell's, as in `<op>.csv`")                                      \
    X(variant, "Likewise")                                                     \
    X(dtype, "Likewise")                                                       \
    X(outer, "Likewise")                                                       \
    X(axis, "Likewise")                                                        \
    X(inner, "Likewise")                                                       \
    X(cache, "Likewise")                                                       \
    X(process, "Likewise")                                                     \
    X(us, "Its samples in the order in which they were taken, microseconds, "  \
          "with blanks between them")

enum {
#define SAMPLES_ONE(name, meaning) +1
    SAMPLES_COLUMN_COUNT = SAMPLES_COLUMNS(SAMPLES_ONE)
#undef SAMPLES_ONE
};

/* No cell has more: a longer line is damaged. */
enum { SAMPLES_MOST = 1000 };

bool samples_write_header(FILE *file);
/* Of the row's cell and process; seven digits of each. */
bool samples_write(FILE *file, const struct row *row, const double *us);

/* ------------------------------------------------------------------ reading */

/* The columns must be all, in order. */
bool samples_is_header(char *const *fields, size_t count);

/* A line. NULL, or what is wrong with it. The variant points into the fields;
 * `us` has SAMPLES_MOST places. */
const char *samples_read(struct row *of, double *us, size_t *us_count,
                         char *const *fields, size_t count);

/* The samples of a run. Starts as { 0 }. */
struct run_samples {
    struct cell_samples {
        struct row of; /* op, variant, dtype, shape, cache, process */
        double *us;
        size_t count;
    } * cell;
    size_t count, room;
    size_t damaged; /* lines or files that were left out, and reported */
    struct texts texts;
};

/* Of all its processes. A run without the file has none. */
void run_samples_read(struct run_samples *samples, const struct run_folder *run,
                      const struct listener *listener);
void run_samples_free(struct run_samples *samples);

/* Those that the row was made of, or NULL: their number, least and largest are
 * the row's. A cell that a kill met between its samples and its row has a line
 * of the first try, too. */
const struct cell_samples *run_samples_of(const struct run_samples *samples,
                                          const struct row *row);

/* Those of all processes of a cell, one after the other; for free(). *count is
 * 0, and the array empty, where there are none. */
double *run_samples_pooled(const struct run_samples *samples,
                           const struct run_cell *cell, size_t *count);

#endif
