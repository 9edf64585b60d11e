/* SPDX-License-Identifier: MIT
 *
 * What the worker is asked to do with a cell, step by step. Whoever asks
 * (harness/measure/measure.h) keeps all that is known of a cell, so that a
 * worker may die at any step and another one goes on.
 */
#ifndef HARNESS_MEASURE_JOB_H
#define HARNESS_MEASURE_JOB_H

#include "harness/cell.h"

enum job_kind {
    JOB_VERIFY,    /* one launch from poison, every element judged */
    JOB_SAMPLE,    /* timed launches */
    JOB_FINISH,    /* more samples, on another version of the input: judged */
    JOB_REPEAT,    /* launches whose bits are compared with the first one's */
    JOB_NONFINITE, /* launches, all but the first on NaNs, infinities … */
    JOB_EMPTY,     /* an empty kernel, timed like a cell of that cache state */
    JOB_ROOF,      /* the flat roof of the dtype's additions */
    JOB_PROFILE,   /* one launch between a profiler's start and stop */
};

enum { JOB_SAMPLES = 256 }; /* at most, of one job */

/* REPEAT stops after this time, but not before it has made so many launches
 * after the first. */
#define REPEAT_ENOUGH_S 0.5
enum { REPEAT_LEAST = 3 };

struct job {
    enum job_kind kind;
    struct cell cell;
    struct input input; /* VERIFY, REPEAT, NONFINITE, FINISH */
    int least, most;    /* samples; SAMPLE and EMPTY */
    int repeats;        /* REPEAT */
    double budget_us;   /* by the host's clock: between least and most */

    /* SAMPLE: which sample's output is checked (-1: none) and which has a
     * canary; more are where that is cheap. */
    int check_at, canary_at;
    uint64_t seed;        /* of the canaries' places */
    int taken;            /* samples of the cell in rounds before this one */
    bool has_fingerprint; /* of the verified output: bits are compared */
    uint64_t fingerprint;

    uint64_t number; /* which its result bears, too: the worker's */
};

/* Where status is not ok: skip, wrong or error, with the reason. */
struct job_result {
    enum status status;
    char reason[REASON_BYTES];
    bool fatal; /* the device may be beyond repair: end the worker */
    double launch_us;
    bool loaded_code; /* in that time, or may have */
    double max_error, bound;
    int count; /* samples */
    int batch; /* launches in each */
    double us[JOB_SAMPLES], host_us[JOB_SAMPLES], exchange_us[JOB_SAMPLES];
    double spent_us;    /* by the host's clock, taking them */
    double checked_us;  /* SAMPLE: the same, checking what they left */
    int ungated, waits; /* samples of that kind */
    struct sensors sensors;
    double sm_counted_mhz;
    double gflops;        /* ROOF */
    int repeats;          /* REPEAT: launches after the first */
    bool has_fingerprint; /* VERIFY: of a deterministic variant's real output */
    uint64_t fingerprint;
    uint64_t number; /* the job's */
};

struct job_result job_result_of(enum status status);

void job_do(const struct job *job, const struct device *device,
            const struct device_facts *facts, struct job_result *report);

/* Work that the events did not see: it ran on after they had stopped. `us` and
 * host_us are of `batch` launches each; a single sample needs more slack than a
 * median, as the host has other things to do. */
bool job_hides_work(double us, double host_us, int batch, double slack_us);

/* Notice that all has ended, and hardly anything else; and a host that was
 * taken away for a moment. */
#define JOB_SLACK_OF_MEDIAN_US 50.0
#define JOB_SLACK_OF_SAMPLE_US 300.0

#endif
