/* SPDX-License-Identifier: MIT
 *
 * The messages of `run` and `check` on stderr. A terminal has one progress line
 * that is rewritten, a log gets a line every PROGRESS_LINE_S seconds. Failures
 * are printed at once, and counts by status at the end.
 */
#pragma once

#include "harness/measure/worker.h"
#include "harness/sweep/plan.h"
#include "src/base/exit.h"

#define PROGRESS_LINE_S 30

struct tally {
    int ok, wrong, skipped, failed;   /* slow and untried cells are skipped */
    int doubtful;                     /* of `ok`: suspect or unstable */
    char why_skipped[ROW_TEXT_BYTES]; /* the first reason */
};

struct progress {
    const struct options *options;
    const struct worker *worker;
    struct tally tally, asked; /* all cells; those that the user selected */
    size_t done, total;        /* cells that began */
    double done_ms, all_ms;    /* their estimated time */
    double limit_s;            /* the time limit, or NaN */
    bool rewrites, lines;      /* for a terminal; for a log; or neither */
    double start_s, line_s;    /* time of the start and of the last line */
    char now[CELL_ID_BYTES], last[CELL_ID_BYTES]; /* a cell, and a result */
};

/* Expects the plan's cells in each of options->processes. */
void progress_start(struct progress *progress, const struct plan *plan,
                    const struct options *options, const struct worker *worker);

/* A cell begins. */
void progress_cell(struct progress *progress, const struct cell *cell);

/* Counts a cell that has an earlier row, and removes it from the estimate. */
void progress_passed(struct progress *progress, const struct cell *cell,
                     const struct row *row);

/* Counts the cell's outcome, shows it beside the next cell, and prints a
 * failure together with the command that reproduces it. */
void progress_done(struct progress *progress, const struct cell *cell,
                   const struct outcome *outcome);
void progress_end(struct progress *progress);
double progress_seconds(const struct progress *progress);

/* Prints a failed cell, and no command if `options` is NULL. */
void progress_failure(const struct options *options, enum device_kind kind,
                      const struct cell *cell, const struct outcome *outcome);

/* The exit status, with a message if nothing was `verb`, as "measured". */
int progress_status(const struct progress *progress, const char *verb);

/* Rough time for verifying a cell and, if it is timed, for sampling it. */
double estimate_ms(const struct cell *cell, double budget_ms,
                   const struct worker *worker);

/* Width for a table; unlimited without a terminal, unless COLUMNS is set. */
int terminal_room(int file);

/* --- for the tests --- */

void tally_count(struct tally *tally, enum status status, const char *reason);
int tally_status(const struct tally *tally, const char *verb);

/* True for a terminal that is neither "dumb" nor that of CI, whose log keeps
 * every state. */
bool terminal_can_rewrite(int file);

/* Columns by the environment or the terminal, or 100; at least 40. */
int terminal_columns(int file);

/* Estimated time of the rest, corrected by the error of the estimate so far. */
double progress_left_s(const struct progress *progress, double spent_s);

/* A line of at most `columns`. */
enum { PROGRESS_LINE_BYTES = 2 * CELL_ID_BYTES + 64 };
char *progress_line(const struct progress *progress, double spent_s,
                    int columns, char line[PROGRESS_LINE_BYTES]);
