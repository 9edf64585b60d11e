/* SPDX-License-Identifier: MIT
 *
 * Cells run in a child process, so that a variant that crashes, hangs or
 * poisons the CUDA context costs one row: the child is replaced. The parent
 * never touches CUDA, hence each child starts afresh.
 */
#ifndef HARNESS_WORKER_H
#define HARNESS_WORKER_H

#include "harness/cell.h"

#include <signal.h>
#include <sys/types.h>

struct worker {
    enum device_kind kind;
    int index;
    bool in_process; /* no child: run cells right here */
    pid_t pid;       /* 0: none */
    int to, from;    /* pipes */
    struct device_facts facts;
};

/* Set by whoever catches SIGINT; waiting for a cell ends early then. */
extern volatile sig_atomic_t worker_interrupted;

/* Starts the process and opens the device. NULL, or why not; *absent says that
 * there is no such device. */
const char *worker_start(struct worker *worker, enum device_kind kind,
                         int index, bool in_process, bool *absent);

/* Runs one cell. Whatever happens, outcome says it. A dead worker is started
 * again; false if that failed or an interrupt came (*outcome is not filled in
 * then). */
bool worker_run(struct worker *worker, const struct cell *cell,
                double timeout_s, struct outcome *outcome);

/* The flat roof of dtype's additions (1e9 a second), NaN if it failed. */
double worker_add_gflops(struct worker *worker, enum dtype dtype);

void worker_stop(struct worker *worker);

#endif
