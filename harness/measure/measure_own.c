/* SPDX-License-Identifier: MIT
 *
 * Measurements for the instrument itself, which are repeated if a worker is
 * lost.
 */
#include "harness/measure/measure.h"

#include <math.h>
#include <stdio.h>

/* Attempts, if a worker was lost. */
enum { TRIES = 3 };

bool measure_probes(struct measure *measure, const struct cell *cells,
                    size_t count, struct outcome *outcomes)
{
    bool ok = true, lost = true;
    for (int k = 0; k < TRIES && lost && ok; ++k) {
        ok = measure_group(measure, cells, count, outcomes);
        lost = false;
        for (size_t c = 0; c < count && ok; ++c)
            lost |= outcomes[c].row.status == STATUS_ERROR;
    }
    return ok;
}

/* Does a job without a variant; retries failures, as of a busy host. */
static bool do_own(struct measure *measure, struct job *job, const char *what,
                   struct job_result *report)
{
    enum { LEAST_TIMEOUT_S = 20 };
    const double timeout_s = fmax(measure->timeout_s, LEAST_TIMEOUT_S);
    for (int k = 0; k < TRIES; ++k) {
        if (!worker_do(measure->worker, job, timeout_s, report))
            return false;
        if (report->status == STATUS_OK)
            return true;
    }
    fprintf(stderr, "scanbench: %s cannot be timed: %s\n", what,
            report->reason);
    return false;
}

bool measure_empty(struct measure *measure)
{
    for (int cache = 0; cache < CACHE_COUNT; ++cache) {
        struct job_result report;
        struct job job = { .kind = JOB_EMPTY,
                           .cell = { .cache = (enum cache)cache },
                           .least = 20,
                           .most = 200,
                           .budget_us = 20e3 };
        if (!do_own(measure, &job, "an empty kernel", &report))
            return false;
        measure->empty_us[cache] =
            stats_of(report.us, (size_t)report.count).median;
    }
    return true;
}

bool measure_roof(struct measure *measure, enum dtype dtype, double *gflops)
{
    struct job_result report;
    struct job job = { .kind = JOB_ROOF, .cell = { .dtype = dtype } };
    if (!do_own(measure, &job, "adding", &report))
        return false;
    *gflops = report.gflops;
    return true;
}
