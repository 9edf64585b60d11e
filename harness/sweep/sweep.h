/* SPDX-License-Identifier: MIT
 *
 * `scanbench run`: measures a plan's cells and writes their rows. Functions of
 * type int return the exit status; those that can fail return false after a
 * message or an interrupt.
 */
#pragma once

#include "harness/measure/measure.h"
#include "harness/sweep/plan.h"
#include "harness/sweep/progress.h"
#include "src/runs/results.h"

#include <sys/stat.h>

int sweep_run(const struct plan *plan, const struct options *options,
              struct worker *worker, const char *arguments);

/* `run --profile ID`: one launch between a profiler's start and stop. */
int profile_run(const struct plan *plan, const struct options *options,
                struct worker *worker);

/* --- the parts of a sweep --- */

/* Launches that were too slow, used to skip slower cells. */
struct slow_cells {
    struct slow_cell {
        struct cell cell;
        double launch_us;
    } at[4096];
    int count;
};

/* Seconds of processor time since the host, or the process, started. */
struct host_load {
    double all_s, busy_s; /* of all processors; NaN if unknown */
    double own_s;         /* of this process, its reaped children, one child */
};

/* A run and its current process. */
struct sweep {
    const struct plan *plan;
    const struct options *options;
    struct worker *worker;
    struct results results;
    struct measure measure;
    struct ceilings ceilings; /* the best probe of each twin, dtype, cache state
                                 and size, sorted; process and end are set when
                                 it is written */
    struct progress progress;
    struct slow_cells slow;
    int process;
    size_t problems; /* of every process, known after the first */
    size_t left_out; /* problems that the time limit excluded */
    double worst_drift_pct;
    struct host_load load; /* at the start */
    struct stat folder;    /* the run's folder at the start */
    bool moved;            /* the folder was replaced since then */
};

/* --- facts.c --- */

/* Makes the manifest of a run that starts; the caller frees it. */
void facts_fill(struct manifest *manifest, const struct device_facts *facts,
                const struct driver_facts *driver, const char *arguments);

/* `child` is a running child, or 0. */
struct host_load host_load_now(pid_t child);

/* Share of other programs in the processors' time, per cent; NaN if unknown. */
double host_load_others_pct(const struct host_load *from,
                            const struct host_load *to);

/* --- slow.c --- */

/* Records a launch that took too long; ignored if the table is full. */
void slow_add(struct slow_cells *slow, const struct cell *cell,
              double launch_us);

/* Returns a recorded cell of the variant by which this one takes over `most_us`
 * on `sms` multiprocessors, or NULL. */
const struct cell *slow_find(const struct slow_cells *slow,
                             const struct cell *cell, double most_us, int sms);

/* --- sweep_rows.c --- */

/* True if the run's folder is still where it was; the first false prints a
 * message. */
bool sweep_in_place(struct sweep *sweep);

/* Completes the row of a measured cell, and counts and shows it. */
void sweep_take(struct sweep *sweep, const struct cell *cell,
                struct outcome *outcome);

/* Writes the samples of a cell, with --samples; to be called in done() of
 * struct measure, before its row is written. */
bool sweep_keep_samples(struct sweep *sweep, const struct outcome *outcome);

/* Writes the row, with the share of the best ceiling so far. */
bool sweep_write(struct sweep *sweep, const struct cell *cell,
                 const struct outcome *outcome);

/* True if a process has written all rows and ceilings. */
bool sweep_is_over(const struct sweep *sweep, int process);

/* Counts the earlier rows, and copies the other cells, and probes of another
 * card, into `left`, which has room for all. Returns their number. */
size_t sweep_take_group(struct sweep *sweep, const struct cell *cells,
                        size_t count, bool probes, struct cell *left);

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
