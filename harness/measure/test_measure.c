/* SPDX-License-Identifier: MIT
 *
 * Outcomes of cells in measure.c, from a worker's results or its death.
 */
#include "harness/measure/measure.h"

#include <math.h>
#include <string.h>

#include "harness/device/nvml.h"
#include "src/base/test.h"

/* Functions that measure.c calls, but not in this test. */
struct outcome outcome_of(const struct cell *cell, enum status status)
{
    struct outcome outcome = { .row = row_unknown() };
    outcome.row.cache = cell->cache;
    outcome.row.status = status;
    return outcome;
}

bool cell_same_problem(const struct cell *left, const struct cell *right)
{
    return left == right;
}

bool nvml_throttled(unsigned long long reasons)
{
    return reasons != 0;
}

/* Clocks agree in all samples. */
bool job_hides_work(double us, double host_us, int batch, double slack_us)
{
    (void)batch;
    (void)slack_us;
    CHECK(us == host_us);
    return false;
}

static const struct variant plain;
static int deaths;           /* that are to come */
static int throttled_rounds; /* their samples are throttled, and take 9 us */
static int jobs;
static unsigned inputs;           /* 1 << input_kind of those verified */
static int waits, samples;        /* of a report */
static double first_us, later_us; /* of launches; the first loads the code */

bool worker_do(struct worker *worker, const struct job *job, double timeout_s,
               struct job_result *report)
{
    (void)worker;
    (void)timeout_s;
    *report = (struct job_result){ .status = STATUS_OK,
                                   .count = samples,
                                   .gflops = 7,
                                   .waits = waits,
                                   .ungated = waits,
                                   .loaded_code = jobs == 0,
                                   .launch_us = jobs ? later_us : first_us };
    for (int k = 0; k < samples; ++k)
        report->us[k] = report->host_us[k] = throttled_rounds > 0 ? 9 : 2;
    if (job->kind == JOB_SAMPLE && throttled_rounds > 0) {
        report->sensors.throttle = 1;
        --throttled_rounds;
    }
    if (job->kind == JOB_VERIFY)
        inputs |= 1u << job->input.kind;
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
    struct measure measure = { .empty_us = { NAN, NAN, NAN } };
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

/* True if the cell ends well. */
static bool probe_survives(int count)
{
    const struct cell cell = { .variant = &plain, .op = OP_COPY };
    struct measure measure = { .timeout_s = 1 };
    struct outcome outcome;
    deaths = count;
    jobs = 0;
    CHECK(measure_probes(&measure, &cell, 1, &outcome));
    return outcome.row.status == STATUS_OK;
}

/* Returns the outcome of a cell without deaths. */
static struct outcome measured(struct variant variant, enum op op, bool timed)
{
    const struct cell cell = { .variant = &variant, .op = op, .timed = timed };
    struct measure measure = { .timeout_s = 1, .slow_us = 50e3 };
    struct outcome outcome;
    deaths = jobs = 0;
    CHECK(measure_group(&measure, &cell, 1, &outcome));
    return outcome;
}

/* Returns that of a cell of whose samples this many waited for the device. */
static struct outcome with_waits(bool host_waits, bool timed, int count)
{
    const struct variant variant = { .host_waits = host_waits };
    waits = count;
    const struct outcome outcome = measured(variant, OP_COPY, timed);
    waits = 0;
    return outcome;
}

static void test_waits(void)
{
    const struct outcome wrong = with_waits(false, false, samples);
    CHECK(wrong.row.status == STATUS_WRONG);
    CHECK_FOR(strstr(wrong.reason, "waits for the device"), "%s", wrong.reason);
    CHECK(with_waits(true, false, samples).row.status == STATUS_OK);
    /* One late sample may be due to the host. */
    CHECK(with_waits(false, false, samples - 1).row.status == STATUS_OK);
    /* A timed cell is marked in any case. */
    const struct outcome marked = with_waits(true, true, samples);
    CHECK(marked.row.status == STATUS_OK && marked.row.marks == MARK_UNGATED);
    CHECK(with_waits(true, true, 0).row.marks == 0);
}

/* Compiling takes the driver seconds once, a slow kernel takes them again. */
static enum status with_launches(double first, double later)
{
    first_us = first;
    later_us = later;
    const struct outcome outcome = measured(plain, OP_CUMSUM, true);
    first_us = later_us = 0;
    return outcome.row.status;
}

static void test_pace(void)
{
    CHECK(with_launches(10, 10) == STATUS_OK);
    CHECK(with_launches(2e6, 10) == STATUS_OK);
    CHECK(with_launches(2e6, 60e3) == STATUS_SLOW);
    CHECK(with_launches(2e6, 2e6) == STATUS_SLOW);
}

static unsigned inputs_of(bool ordinary_only)
{
    const struct variant variant = { .ordinary_only = ordinary_only };
    inputs = 0;
    measured(variant, OP_ARGMAX, false);
    return inputs;
}

static void test_inputs(void)
{
    const unsigned ordinary = 1u << INPUT_EXACT | 1u << INPUT_REAL;
    CHECK(inputs_of(true) == ordinary);
    CHECK(inputs_of(false) ==
          (ordinary | 1u << INPUT_SPECIAL | 1u << INPUT_BITS));
}

/* A throttled round is repeated up to three times, and then kept and marked. */
static void test_retakes(void)
{
    for (int rounds = 0; rounds <= 4; ++rounds) {
        throttled_rounds = rounds;
        const struct outcome outcome = measured(plain, OP_CUMSUM, true);
        const int retaken = rounds < 3 ? rounds : 3;
        CHECK_FOR(outcome.row.discarded == retaken * samples, "%d: %d", rounds,
                  (int)outcome.row.discarded);
        CHECK(outcome.row.status == (rounds > 3 ? STATUS_UNSTABLE : STATUS_OK));
        CHECK((outcome.row.us.max == 9) == (rounds > 3));
        CHECK(outcome.throttle == (rounds > 0));
    }
    throttled_rounds = 0;
}

int main(void)
{
    samples = 3;
    test_retakes();
    CHECK(survives(0) && jobs == CACHE_COUNT);
    CHECK(survives(1) && jobs == CACHE_COUNT + 1);
    CHECK(survives(2));
    CHECK(!survives(3));
    CHECK(roof_survives(0) && jobs == 1);
    CHECK(roof_survives(2) && jobs == 3);
    CHECK(!roof_survives(3));
    CHECK(probe_survives(0));
    CHECK(probe_survives(2));
    CHECK(!probe_survives(3));
    test_waits();
    test_pace();
    test_inputs();
    return test_end();
}
