/* SPDX-License-Identifier: MIT
 *
 * What the instrument times for itself, with a worker that dies under it.
 */
#include "harness/measure.h"

#include <math.h>
#include <string.h>

#include "harness/device/nvml.h"
#include "src/base/test.h"

/* What else measure.c calls, and not here. */
struct outcome outcome_of(enum status status)
{
    return (struct outcome){ .status = status };
}

void outcome_mark(struct outcome *outcome, const char *word)
{
    (void)outcome;
    (void)word;
}

bool cell_same_problem(const struct cell *left, const struct cell *right)
{
    return left == right;
}

bool nvml_throttled(unsigned long long reasons)
{
    return reasons != 0;
}

bool job_hides_work(double us, double host_us, int batch, double slack_us)
{
    return batch * (host_us - us) > slack_us;
}

static int deaths; /* that are to come */
static int jobs;

bool worker_do(struct worker *worker, const struct job *job, double timeout_s,
               struct job_result *report)
{
    (void)worker;
    (void)job;
    (void)timeout_s;
    *report =
        (struct job_result){ .status = STATUS_OK, .count = 3, .gflops = 7 };
    for (int k = 0; k < 3; ++k)
        report->us[k] = 2;
    if (++jobs <= deaths) {
        *report = (struct job_result){ .status = STATUS_ERROR };
        strcpy(report->reason, "(death is expected)");
    }
    return true;
}

bool worker_revive(struct worker *worker)
{
    (void)worker;
    return true;
}

static bool survives(int count)
{
    struct measure measure = { .empty_us = { NAN, NAN } };
    deaths = count;
    jobs = 0;
    const bool ok = measure_empty(&measure);
    CHECK_FOR(!ok || (measure.empty_us[CACHE_COLD] == 2 &&
                      measure.empty_us[CACHE_HOT] == 2),
              "%d deaths: %g", count, measure.empty_us[CACHE_COLD]);
    return ok;
}

static bool roof_survives(int count)
{
    struct measure measure = { .timeout_s = 1 };
    double gflops = 0;
    deaths = count;
    jobs = 0;
    const bool ok = measure_roof(&measure, DTYPE_F32, &gflops);
    CHECK(!ok || gflops == 7);
    return ok;
}

/* Whether a cell is well in the end. */
static bool probe_survives(int count)
{
    const struct variant variant = { .name = "any" };
    const struct cell cell = { .variant = &variant, .op = OP_COPY };
    struct measure measure = { .timeout_s = 1 };
    struct outcome outcome;
    deaths = count;
    jobs = 0;
    CHECK(measure_probes(&measure, &cell, 1, &outcome));
    return outcome.status == STATUS_OK;
}

int main(void)
{
    CHECK(survives(0) && jobs == 2);
    CHECK(survives(1) && jobs == 3);
    CHECK(survives(2));
    CHECK(!survives(3));
    CHECK(roof_survives(0) && jobs == 1);
    CHECK(roof_survives(2) && jobs == 3);
    CHECK(!roof_survives(3));
    CHECK(probe_survives(0));
    CHECK(probe_survives(2));
    CHECK(!probe_survives(3));
    return test_end();
}
