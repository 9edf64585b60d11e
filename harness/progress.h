/* SPDX-License-Identifier: MIT
 *
 * What a person sees while a sweep runs: one line on a terminal, nothing in a
 * pipe; problems are told in both.
 */
#ifndef HARNESS_PROGRESS_H
#define HARNESS_PROGRESS_H

#include "harness/cell.h"

struct progress {
    size_t done, total;
    bool shown;
    double start_s, limit_s; /* NaN: no limit */
};

void progress_start(struct progress *progress, size_t total, bool quiet,
                    double limit_s);
void progress_cell(struct progress *progress, const struct cell *cell);

/* A wrong result, an error or a timeout, in a line of its own. */
void progress_problem(struct progress *progress, const struct cell *cell,
                      const struct outcome *outcome);
void progress_end(struct progress *progress);
double progress_seconds(const struct progress *progress);

#endif
