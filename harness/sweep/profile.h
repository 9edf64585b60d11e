/* SPDX-License-Identifier: MIT
 *
 * `scanbench run --profile ID`: one launch of one cell between a profiler's
 * start and stop. Returns the exit status.
 */
#ifndef HARNESS_SWEEP_PROFILE_H
#define HARNESS_SWEEP_PROFILE_H

#include "harness/sweep/plan.h"
#include "harness/measure/worker.h"

int profile_run(const struct plan *plan, const struct options *options,
                struct worker *worker);

#endif
