/* SPDX-License-Identifier: MIT
 *
 * A run read back from its folder: the manifest, the ceilings and the rows of
 * all operations. The processes of a run may be folders of their own, as when
 * builds are measured alternately with `run -o SIDE/N`.
 */
#pragma once

#include "src/runs/ceiling.h"
#include "src/runs/manifest.h"
#include "src/runs/row.h"

struct run_folder {
    const char *path;
    struct run_rows rows;     /* sorted, each process of a cell once */
    struct ceilings ceilings; /* of all processes, each in its order */
    struct manifest manifest;
    size_t damaged; /* lines or files that were reported and left out */
};

/* Reads a run's folder, or one with a folder for each process: these are
 * numbered in order of their names, the manifest is the first one's, and the
 * run is complete if all are; folders of different builds, cards or drivers are
 * refused. False, after a report, if no row can be used. Damage is reported and
 * left out. Free it in any case; `path` is not copied. */
bool run_folder_read(struct run_folder *run, const char *path,
                     const struct listener *listener);
void run_folder_free(struct run_folder *run);

/* True if the folder has a manifest. */
bool run_folder_is(const char *path);

/* Lists the folders with a manifest directly below a folder, 2 before 10; each
 * path and the list are for free(). Returns their number, or -1 with errno. */
int run_folders_below(const char *folder, char ***paths);

/* A value of the manifest, or "". */
const char *run_fact(const struct run_folder *run, const char *key);

/* The value as a number, or NaN. */
double run_fact_number(const struct run_folder *run, const char *key);
