/* SPDX-License-Identifier: MIT
 *
 * Progress on stderr: a terminal has one line that is rewritten, a log gets a
 * line every PROGRESS_LINE_S seconds. Problems are printed at once.
 */
#ifndef HARNESS_SWEEP_PROGRESS_H
#define HARNESS_SWEEP_PROGRESS_H

#include "harness/cell.h"
#include "harness/device/driver_facts.h"

#define PROGRESS_LINE_S 30

struct progress {
    size_t done, total;     /* cells that began */
    double done_ms, all_ms; /* the same by estimate_ms() */
    bool rewrites, lines;   /* a terminal's form, or a log's, or neither */
    double start_s, line_s; /* when it began, and when it last said a line */
    double limit_s;         /* of all; NaN: no limit */
    char now[CELL_ID_BYTES], last[CELL_ID_BYTES]; /* a cell, and a result */
};

void progress_start(struct progress *progress, size_t total, double all_ms,
                    bool quiet, double limit_s);

/* A cell of an estimated time begins; or it has a row already. */
void progress_cell(struct progress *progress, const struct cell *cell,
                   double ms);
void progress_passed(struct progress *progress, double ms);

/* The result is shown beside the next cell. */
void progress_result(struct progress *progress, const struct cell *cell,
                     const char *result);

/* Prints a failure, and `repeat`, the command that reproduces it, if it is not
 * NULL. */
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

/* The estimate of the rest, corrected by how far off it was so far. */
double progress_left_s(const struct progress *progress, double spent_s);

/* A line of at most `columns`. */
enum { PROGRESS_LINE_BYTES = 2 * CELL_ID_BYTES + 64 };
char *progress_line(const struct progress *progress, double spent_s,
                    int columns, char line[PROGRESS_LINE_BYTES]);

#endif
