/* SPDX-License-Identifier: MIT
 *
 * samples.csv: every kept sample of every timed cell, as `run --samples` writes
 * them: one line per cell and process, with all samples in one field.
 */
#pragma once

#include "src/runs/run_cell.h"
#include "src/runs/run_folder.h"

#define SAMPLES_FILE "samples.csv"

/* No cell has more: a longer line is damaged. */
enum { SAMPLES_MOST = 1000 };

extern const struct columns samples_columns;

/* Writes the samples of the row, seven digits of each. */
void samples_write(FILE *file, const struct row *row, const double *us);

/* The samples of a run. Starts as { 0 }. */
struct run_samples {
    struct cell_samples {
        struct row of; /* op, variant, dtype, shape, cache, process */
        double *us;
        size_t count;
    } * cell;
    size_t count;
    struct texts texts;
};

/* Reads the samples of all processes. A run without the file has none. */
void run_samples_read(struct run_samples *samples, const struct run_folder *run,
                      const struct listener *listener);
void run_samples_free(struct run_samples *samples);

/* The samples of a row, or NULL: the last line counts, as a run that was killed
 * between a cell's samples and its row measures the cell again. */
const struct cell_samples *run_samples_of(const struct run_samples *samples,
                                          const struct row *row);

/* The samples of all processes of a cell, one after the other, for free().
 * *count is 0, and the array NULL, if there are none. */
double *run_samples_pooled(const struct run_samples *samples,
                           const struct run_cell *cell, size_t *count);
