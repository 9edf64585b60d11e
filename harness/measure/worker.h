/* SPDX-License-Identifier: MIT
 *
 * Cells run in a child process, so that a variant that crashes, hangs or
 * poisons the CUDA context costs one row: the child is replaced. The parent
 * never touches CUDA, hence each child starts afresh.
 */
#ifndef HARNESS_MEASURE_WORKER_H
#define HARNESS_MEASURE_WORKER_H

#include "harness/child.h"
#include "harness/measure/job.h"
#include "harness/options.h"

#include <signal.h>

struct worker {
    enum device_kind kind;
    int index;
    bool in_process; /* no child: run cells right here */
    const struct known_gpu
        *pretend; /* what the facts are lowered to, or NULL */
    const struct rules_shelf *shelf; /* the rules that there are, or NULL */
    int ranks;                       /* that problems are split over, or 0 */
    bool splits;                     /* a job may ask for ranks */
    const struct plugins *plugins;   /* loaded by whoever runs cells, or NULL */
    struct child child;
    int socket;      /* to the child and from it */
    uint64_t number; /* of the last job */
    struct device_facts facts;
    struct driver_facts driver; /* for the manifest */
};

/* Set by an interrupt; waiting for a cell ends early then. */
extern volatile sig_atomic_t worker_interrupted;

/* From now on SIGINT, SIGTERM and SIGHUP are interrupts; but not SIGHUP where
 * it is ignored, as under nohup. */
void worker_catch_interrupts(void);

/* Starts the process and opens the device, which the options may say how to,
 * but not which one. NULL, or why not; *absent says that there is no such
 * device. */
const char *worker_start(struct worker *worker, enum device_kind kind,
                         int index, const struct options *options,
                         bool *absent);

/* Does one job. Whatever happens, the report says it. A dead worker is started
 * again; false if that failed or an interrupt came (*report is not filled in
 * then). */
bool worker_do(struct worker *worker, const struct job *job, double timeout_s,
               struct job_result *report);

/* Starts a dead worker again; false, and said so, if the device is lost. */
bool worker_revive(struct worker *worker);

/* Ends the process; the next job starts a fresh one. */
void worker_stop(struct worker *worker);

#endif
