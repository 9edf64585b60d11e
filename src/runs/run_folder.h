/* SPDX-License-Identifier: MIT
 *
 * A run's folder, as results.c writes it, read back: the
 * manifest, the ceilings and the rows of all operations.
 */
#ifndef SRC_RUNS_RUN_FOLDER_H
#define SRC_RUNS_RUN_FOLDER_H

#include "src/runs/ceiling.h"
#include "src/runs/manifest.h"
#include "src/runs/run_rows.h"

/* A folder that its rows came from: its own, or one of several that are its
 * processes, numbered on from this one. */
struct run_part {
    char *path;
    int64_t first_process;
};

struct run_folder {
    const char *path;
    struct run_part *parts;
    size_t part_count;
    struct run_rows rows; /* sorted, a process of a cell once */
    struct run_ceilings ceilings;
    struct manifest manifest;
    size_t damaged; /* lines or files that cannot be read, and were reported */
};

/* False, after telling why, if the folder is of another schema, or has no row
 * that can be used. What else is wrong is reported and left out. Free it in
 * either case. `path` is kept, not copied. */
bool run_folder_read(struct run_folder *run, const char *path,
                     const struct listener *listener);
void run_folder_free(struct run_folder *run);

/* Adds a part. */
void run_folder_add_part(struct run_folder *run, const char *path,
                         int64_t first_process);

/* A value of its manifest; "" if it is missing or empty. */
const char *run_fact(const struct run_folder *run, const char *key);

/* The same as a number; NaN if it is missing or none. */
double run_fact_number(const struct run_folder *run, const char *key);

#endif
