/* SPDX-License-Identifier: MIT
 *
 * The parts of a sweep. Functions that can fail return false after a message
 * or an interrupt.
 */
#ifndef HARNESS_SWEEP_SWEEP_PARTS_H
#define HARNESS_SWEEP_SWEEP_PARTS_H

#include "harness/sweep/host_load.h"
#include "harness/measure/measure.h"
#include "harness/sweep/progress.h"
#include "harness/measure/slow.h"
#include "harness/sweep/sweep.h"
#include "harness/sweep/tally.h"
#include "src/runs/results.h"

#include <sys/stat.h>

/* The best of a traffic twin's probes, for every twin, dtype, cache state and
 * size class. */
struct ceilings {
    struct {
        double gbps; /* 0 if there is none */
        const struct cell *cell;
    } best[OP_COUNT][DTYPE_COUNT][CACHE_COUNT][SIZE_CLASSES];
};

/* A run and its current process. */
struct sweep {
    const struct plan *plan;
    const struct options *options;
    struct worker *worker;
    struct results results;
    struct measure measure;
    struct ceilings ceilings;
    struct progress progress;
    struct tally tally, asked; /* of all cells, and of the user's */
    struct slow_cells slow;
    int process;
    size_t problems; /* that every process measures, of those behind the
                        probes; known when the first is through */
    size_t left_out; /* problems, by the time limit */
    double worst_drift_pct;
    struct host_load load; /* at the start */
    struct stat folder;    /* the run's, at the start */
    bool moved;            /* the folder, since then */
};

/* --- sweep_row.c: what became of a cell, as a row --- */

/* The run's folder is still where it was; says so if not, once. */
bool sweep_in_place(struct sweep *sweep);

/* Fills in what the sweep knows of a measured cell's row: process, card, ranks,
 * the share of the ceiling, and the mark cache_assisted. */
void sweep_fill_row(const struct sweep *sweep, const struct cell *cell,
                    struct row *row);

/* Can be a ceiling for others: timed, and not doubtful. */
bool sweep_is_ceiling(const struct row *row);

/* Writes the samples of a cell, with --samples; to be called in done() of
 * struct measure, before its row is written. */
bool sweep_keep_samples(struct sweep *sweep, const struct outcome *outcome);

/* Writes the row, with the share of the ceiling as it is by now. */
bool sweep_write(struct sweep *sweep, const struct cell *cell,
                 const struct outcome *outcome);

/* Most time for a cell, milliseconds. */
double sweep_estimate_ms(const struct sweep *sweep, const struct cell *cell);

/* Counts a cell of which all is known, and tells of what is wrong with it. */
void sweep_count(struct sweep *sweep, const struct cell *cell,
                 const struct outcome *outcome);

/* Its part that what is there already does, too. */
void sweep_tally(struct sweep *sweep, const struct cell *cell,
                 enum status status, const char *reason);

/* For struct measure: a cell begins. */
void sweep_on_start(void *context, const struct cell *cell);

/* --- sweep_resume.c: a run that goes on --- */

/* A probe that another card has measured is measured again, but has its row. */
bool sweep_has_row(const struct sweep *sweep, const struct cell *cell);

/* A process has all its rows and ceilings. */
bool sweep_is_over(const struct sweep *sweep, int process);

/* Counts what the rows of all processes say. */
void sweep_tally_finished(struct sweep *sweep);

/* Takes the rows that are there, and moves the cells that are still to be
 * measured into `left`, which has room for all. Returns how many these are. */
size_t sweep_take_group(struct sweep *sweep, const struct cell *cells,
                        size_t count, bool probes, struct cell *left);

/* --- ceilings.c: what cells are compared with --- */

/* Takes a probe's rate if it is the best so far. */
void ceilings_raise(struct ceilings *ceilings, const struct cell *probe,
                    double gbps);

/* The ceiling of a cell, GB/s, or 0 if there is none. */
double ceilings_gbps(const struct ceilings *ceilings, const struct cell *cell);

/* Times an empty kernel, and the flat roofs. */
bool sweep_empty(struct sweep *sweep);
bool sweep_roofs(struct sweep *sweep);

/* Measures the plan's probes; `left` and `outcomes` have room for the plan. */
bool sweep_probes(struct sweep *sweep, struct cell *left,
                  struct outcome *outcomes);

/* Measures the largest probes again: the drift of the run. */
bool sweep_repeat_ceilings(struct sweep *sweep, struct outcome *outcomes);

#endif
