/* SPDX-License-Identifier: MIT
 *
 * Cells run in a child process. If a variant crashes, hangs or poisons the CUDA
 * context, it costs one row, and the child is replaced. The parent never
 * touches CUDA.
 */
#pragma once

#include "harness/child.h"
#include "harness/measure/job.h"
#include "harness/options.h"

#include <signal.h>

struct worker {
    enum device_kind kind;
    int index;
    const struct options *options;
    struct child child;
    int socket;
    uint64_t number; /* of the last job */
    struct device_facts facts;
    struct driver_facts driver; /* for the manifest */
};

/* Set by an interrupt; waiting for a cell ends early then. */
extern volatile sig_atomic_t worker_interrupted;

/* Makes SIGINT, SIGTERM and SIGHUP interrupts, except SIGHUP under nohup. */
void worker_catch_interrupts(void);

/* Opens the device in a process. NULL or an error; sets *absent if none. */
const char *worker_start(struct worker *worker, enum device_kind kind,
                         int index, const struct options *options,
                         bool *absent);

/* Does one job, in a new process if there is none; the report shows if it died.
 * False, without a report, if none starts or after an interrupt. */
bool worker_do(struct worker *worker, const struct job *job, double timeout_s,
               struct job_result *report);

/* Starts the process if there is none; false after a message if none starts. */
bool worker_revive(struct worker *worker);

/* Ends the process; the next job starts a fresh one. */
void worker_stop(struct worker *worker);
