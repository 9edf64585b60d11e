/* SPDX-License-Identifier: MIT
 *
 * A run's folder, for a command that was given its name.
 */
#ifndef CLI_COMMON_READ_RUN_H
#define CLI_COMMON_READ_RUN_H

#include "src/runs/samples.h"

/* For a listener, whose context is a count from 0: says it on stderr,
 * LISTENER_SAYS times. */
void hear_a_few(void *context, const char *path, int64_t line,
                const char *problem, const char *remedy);

/* Reads it and says on stderr what is wrong with it, up to a few lines. False
 * if there is nothing that can be used. Free it in either case. */
bool read_run(struct run_folder *run, const char *path);

/* The samples of a run that was read, if it has any; likewise. */
void read_samples(struct run_samples *samples, const struct run_folder *run);

#endif
