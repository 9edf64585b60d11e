/* SPDX-License-Identifier: MIT
 *
 * What each step from the simplest kernel to the fastest is worth: tables in
 * Markdown of the catalogue's files, their headers and the published runs.
 */
#ifndef SRC_JUDGE_STEPS_H
#define SRC_JUDGE_STEPS_H

#include <stdio.h>

#include "src/judge/catalogue.h"
#include "src/runs/run_folder.h"

struct ladder;

/* Reads the runs, the newest first: of a point at a shape the newest run that
 * has it counts. For ladder_free(). */
struct ladder *ladder_make(const struct catalogue_point *points,
                           const struct run_folder *runs, size_t run_count);
void ladder_free(struct ladder *ladder);

/* A row for every file of the folder (stream, scan, sum or flip). `header`
 * answers a field of a file's header, or "". */
struct ladder_headers {
    const char *(*field)(void *context, const char *id, const char *field);
    void *context;
};
void ladder_write_files(const struct ladder *ladder, const char *folder,
                        const struct ladder_headers *headers, FILE *file);

/* A table for every operation that was measured: of each file's best point the
 * share of the ceiling, in f32 and a cold cache. */
void ladder_write_steps(const struct ladder *ladder, FILE *file);

#endif
