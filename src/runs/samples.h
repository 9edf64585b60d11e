/* SPDX-License-Identifier: MIT
 *
 * samples.csv: every kept sample of every timed cell, as `run --samples` writes
 * them: one line per cell and process, with all samples in one field.
 */
#pragma once

#include "src/runs/row.h"

#define SAMPLES_FILE "samples.csv"

/* No cell has more. */
enum { SAMPLES_MOST = 1000 };

extern const struct columns samples_columns;

/* Writes the samples of the row, seven digits of each. */
void samples_write(FILE *file, const struct row *row, const double *us);
