/* SPDX-License-Identifier: MIT
 *
 * The runs that a command line names, and their cells that it selects.
 */
#ifndef CLI_COMMON_RUNS_H
#define CLI_COMMON_RUNS_H

#include "harness/options.h"
#include "src/runs/run_folder.h"
#include "src/runs/samples.h"

/* Reads a run, and prints its first few problems. False if nothing of it can be
 * used; it is freed in either case. */
bool read_run(struct run_folder *run, const char *path);

/* Reads the samples of a run, if it has any, likewise. */
void read_samples(struct run_samples *samples, const struct run_folder *run);

/* Several runs, the newest first by their manifests. */
struct published {
    struct run_folder *run;
    size_t count;
};

/* Reads the folders. A folder without a manifest stands for the runs directly
 * below it. False after a message if a folder has no runs or no rows. */
bool published_read(struct published *set, char *const *folders, int count);
void published_free(struct published *set);

/* False after a message if all runs are of a host: rules and ladders are made
 * of GPU variants. */
bool published_of_gpu(const struct published *set);

/* op/variant/dtype/OUTERxAXISxINNER/cache */
enum { ROW_ID_BYTES = 512 };
char *row_id(const struct row *row, char id[ROW_ID_BYTES]);

/* True if the row passes the filter. */
bool select_wants(const struct filter *select, const struct row *row);

/* Removes the other rows; returns how many remain. */
size_t select_rows(const struct filter *select, struct run_rows *rows);

#endif
