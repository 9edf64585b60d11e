/* SPDX-License-Identifier: MIT
 *
 * A run whose processes are folders of their own: builds that take turns on a
 * machine are measured process by process, each with `run -o SIDE/N`.
 */
#ifndef SRC_RUNS_RUN_PROCESSES_H
#define SRC_RUNS_RUN_PROCESSES_H

#include "src/runs/run_folder.h"

/* As run_folder_read(), of a run's folder or of one that holds nothing but such
 * folders: these are its processes, in order of their names, numbered from 0
 * on. Its manifest is the first one's, complete if all are. Runs of different
 * builds, cards or drivers are no processes of one, and refused. */
bool run_processes_read(struct run_folder *run, const char *path,
                        const struct listener *listener);

#endif
