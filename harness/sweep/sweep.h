/* SPDX-License-Identifier: MIT
 *
 * `scanbench run`: measures a plan's cells and writes their rows. Functions of
 * type int return the exit status.
 */
#ifndef HARNESS_SWEEP_SWEEP_H
#define HARNESS_SWEEP_SWEEP_H

#include "harness/sweep/plan.h"
#include "harness/measure/worker.h"

struct worker_setup sweep_worker(const struct options *options);

int sweep_run(const struct plan *plan, const struct options *options,
              struct worker *worker, const char *arguments);

/* `scanbench run --profile ID`: one launch of one cell, between a profiler's
 * start and stop. */
int profile_run(const struct plan *plan, const struct options *options,
                struct worker *worker);

#endif
