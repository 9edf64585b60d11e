/* SPDX-License-Identifier: MIT
 *
 * The runs that a command line names, and the cells of them that it selects.
 */
#ifndef CLI_COMMON_RUNS_H
#define CLI_COMMON_RUNS_H

#include "harness/options.h"
#include "src/runs/run_folder.h"
#include "src/runs/samples.h"

/* A listener that prints the first LISTENER_SAYS problems on stderr; its
 * context is a count that starts at 0. */
void hear_a_few(void *context, const char *path, int64_t line,
                const char *problem, const char *remedy);

/* Reads a run and prints the first few problems. False if nothing of it can be
 * used. Free it in either case. */
bool read_run(struct run_folder *run, const char *path);

/* Reads the run's samples, if it has any, and prints the first few problems. */
void read_samples(struct run_samples *samples, const struct run_folder *run);

/* Several runs, the newest first by their manifests. */
struct published {
    struct run_folder *run;
    size_t count, room;
};

/* Reads the folders; one without a manifest stands for the runs right below it.
 * False after a message if a folder holds no runs, or no rows. */
bool published_read(struct published *set, char *const *folders, int count);
void published_free(struct published *set);

/* False after a message if all runs are a host's: rules and ladders are of GPU
 * variants. */
bool published_of_gpu(const struct published *set);

/* The last part of the run's path. */
const char *published_name(const struct run_folder *run);

bool select_wants(const struct filter *select, const struct row *row);

/* Removes the rows that are not wanted; returns how many remain. */
size_t select_rows(const struct filter *select, struct run_rows *rows);

#endif
