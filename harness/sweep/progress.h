/* SPDX-License-Identifier: MIT
 *
 * What a person sees while cells run: one line on a terminal, cut to its width;
 * elsewhere a line every PROGRESS_LINE_S seconds; problems at once in both.
 */
#ifndef HARNESS_SWEEP_PROGRESS_H
#define HARNESS_SWEEP_PROGRESS_H

#include "harness/cell.h"
#include "harness/device/driver_facts.h"

#define PROGRESS_LINE_S 30

struct progress {
    size_t done, total;     /* cells that began */
    double done_ms, all_ms; /* the same by estimate_ms() */
    bool rewrites, lines;   /* which of the two forms; or neither */
    double start_s, line_s; /* when it began, and when it last said a line */
    double limit_s;         /* of all; NaN: no limit */
    char now[CELL_ID_BYTES], last[CELL_ID_BYTES]; /* a cell, and a result */
};

/* all_ms: what all cells may take. */
void progress_start(struct progress *progress, size_t total, double all_ms,
                    bool quiet, double limit_s);
/* A cell begins that may take so long; or its row is there already. */
void progress_cell(struct progress *progress, const struct cell *cell,
                   double ms);
void progress_passed(struct progress *progress, double ms);

/* What became of a cell, to be seen with what comes next. */
void progress_result(struct progress *progress, const struct cell *cell,
                     const char *result);

/* A wrong result, an error or a timeout, in a line of its own; `repeat` is the
 * command that shows it again, or NULL. */
void progress_problem(struct progress *progress, const struct cell *cell,
                      const struct outcome *outcome, const char *repeat);
void progress_end(struct progress *progress);
double progress_seconds(const struct progress *progress);

/* A rough time for verifying a cell, and sampling it if it is timed, before
 * anything was measured. budget_ms is that of sampling. */
double estimate_ms(const struct cell *cell, double budget_ms,
                   const struct device_facts *facts,
                   const struct driver_facts *driver);

/* --- for the tests --- */

/* Seconds that are left, `spent_s` after the start: the estimate at first,
 * more and more corrected by how far off it was. */
double progress_left_s(const struct progress *progress, double spent_s);

/* The line, of so many columns at most. */
enum { PROGRESS_LINE_BYTES = 2 * CELL_ID_BYTES + 64 };
char *progress_line(const struct progress *progress, double spent_s,
                    int columns, char line[PROGRESS_LINE_BYTES]);

#endif
