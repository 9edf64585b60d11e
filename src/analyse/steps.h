/* SPDX-License-Identifier: MIT
 *
 * What each step from the simplest kernel to the fastest is worth: tables in
 * Markdown of the catalogue's files and the published runs.
 */
#ifndef SRC_ANALYSE_STEPS_H
#define SRC_ANALYSE_STEPS_H

#include <stdio.h>

#include "src/choose/catalogue.h"
#include "src/runs/run_folder.h"

struct ladder;

/* Reads the runs, the newest first: of a point at a shape the newest run that
 * has it counts. For ladder_free(). */
struct ladder *ladder_make(const struct catalogue_point *points,
                           const struct run_folder *runs, size_t run_count);
void ladder_free(struct ladder *ladder);

/* A row for every file of the folder (stream, scan, sum or flip): what it
 * reaches over the shapes of runs of random ones, and at the folder's headline
 * shapes, in f32; all in a cold cache, per cent of the ceiling. */
void ladder_write(const struct ladder *ladder, const char *folder, FILE *file);

#endif
