/* SPDX-License-Identifier: MIT
 *
 * The parts of a sweep. Functions that can fail return false after a message
 * or an interrupt.
 */
#ifndef HARNESS_SWEEP_SWEEP_PARTS_H
#define HARNESS_SWEEP_SWEEP_PARTS_H

#include "harness/measure/measure.h"
#include "harness/measure/slow.h"
#include "harness/sweep/facts.h"
#include "harness/sweep/progress.h"
#include "harness/sweep/sweep.h"
#include "src/runs/results.h"

#include <sys/stat.h>

/* The best probe of a traffic twin, for every twin, dtype, cache state and size
 * class; its rate is 0 if there is none. */
struct best_probe {
    double gbps;
    const struct cell *cell;
};
struct ceilings {
    struct best_probe best[OPS_MOST][DTYPE_COUNT][CACHE_COUNT][SIZE_CLASSES];
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
    struct slow_cells slow;
    int process;
    size_t problems; /* beyond the probes' that every process measures; known
                        after the first process */
    size_t left_out; /* problems that the time limit excluded */
    double worst_drift_pct;
    struct host_load load; /* at the start */
    struct stat folder;    /* the run's folder at the start */
    bool moved;            /* the folder was replaced since then */
};

/* --- sweep_rows.c --- */

/* True if the run's folder is still where it was; the first false prints a
 * message. */
bool sweep_in_place(struct sweep *sweep);

/* True if the row can be a ceiling: timed, and not doubtful. */
bool sweep_is_ceiling(const struct row *row);

/* Completes the row of a measured cell, and counts and shows it. */
void sweep_take(struct sweep *sweep, const struct cell *cell,
                struct outcome *outcome);

/* Writes the samples of a cell, with --samples; to be called in done() of
 * struct measure, before its row is written. */
bool sweep_keep_samples(struct sweep *sweep, const struct outcome *outcome);

/* Writes the row, with the share of the best ceiling so far. */
bool sweep_write(struct sweep *sweep, const struct cell *cell,
                 const struct outcome *outcome);

/* True if this process has written a row of the cell before the run was
 * resumed. */
bool sweep_has_row(const struct sweep *sweep, const struct cell *cell);

/* True if a process has written all rows and ceilings. */
bool sweep_is_over(const struct sweep *sweep, int process);

/* Counts the earlier rows of all processes. */
void sweep_count_finished(struct sweep *sweep);

/* Takes the earlier rows, and moves the cells that are still to be measured
 * into `left`, which has room for all. Returns how many these are. Probes of
 * another card are measured again. */
size_t sweep_take_group(struct sweep *sweep, const struct cell *cells,
                        size_t count, bool probes, struct cell *left);

/* --- ceilings.c --- */

/* Takes a probe's rate if it is the best so far. */
void ceilings_raise(struct ceilings *ceilings, const struct cell *probe,
                    double gbps);

/* The ceiling of a cell, GB/s, or 0 if there is none. */
double ceilings_gbps(const struct ceilings *ceilings, const struct cell *cell);

/* Times an empty kernel, and additions in registers. */
bool sweep_empty(struct sweep *sweep);
bool sweep_roofs(struct sweep *sweep);

/* Measures the plan's probes; `left` and `outcomes` have room for the plan. */
bool sweep_probes(struct sweep *sweep, struct cell *left,
                  struct outcome *outcomes);

/* Measures the largest probes again for the drift of the run. */
bool sweep_repeat_ceilings(struct sweep *sweep, struct outcome *outcomes);

#endif
