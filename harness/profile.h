/* SPDX-License-Identifier: MIT
 *
 * `scanbench run --profile ID`: one launch of one cell between a profiler's
 * start and stop. Returns the exit status.
 */
#ifndef HARNESS_PROFILE_H
#define HARNESS_PROFILE_H

#include "harness/plan.h"
#include "harness/worker.h"

int profile_run(const struct plan *plan, const struct options *options,
                struct worker *worker);

#endif
