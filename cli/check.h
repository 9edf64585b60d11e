/* SPDX-License-Identifier: MIT
 *
 * `scanbench check`: verification only. Prints "N passed, N failed, N skipped"
 * on stdout, what failed on stderr, and returns the exit status.
 */
#ifndef CLI_CHECK_H
#define CLI_CHECK_H

#include "harness/sweep/plan.h"
#include "harness/measure/worker.h"

int check_all(const struct plan *plan, const struct options *options,
              struct worker *worker);

/* The other way round: every variant and op of the families that are asked for
 * has to be caught, as wrong, failing or hanging, in at least one cell; under
 * the options, too, that a family's record says it takes. */
int check_must_fail(const struct options *options, struct worker *worker);

#endif
