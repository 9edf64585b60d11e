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
    JOB_FINISH,    /* more samples, on another edition of the input: judged */
    JOB_REPEAT,    /* launches whose bits are compared with the first one's */
    JOB_NONFINITE, /* launches, all but the first on NaNs, infinities … */
    JOB_EMPTY,     /* an empty kernel, timed like a cell of that cache state */
    JOB_ROOF,      /* the flat roof of the dtype's additions */
    JOB_PROFILE,   /* one launch between a profiler's start and stop */
};

enum { JOB_SAMPLES = 256 }; /* at most, of one job */

struct job {
    enum job_kind kind;
    struct cell cell;
    struct input input; /* VERIFY, REPEAT, NONFINITE, FINISH */
    int least, most;    /* samples; SAMPLE and EMPTY */
    int repeats;        /* REPEAT */
    double budget_us;   /* by the host's clock: between least and most */

    /* Looks at what a timed launch leaves (SAMPLE): after sample look_at (-1:
     * none); more where they are cheap beside the samples. Spots
     * (harness/measure/spot.h): in sample spot_at, and more alike; the seed
     * says where.
     */
    int look_at, spot_at;
    int batches; /* of a hot cell (SAMPLE): that are spotted in their midst */
    uint64_t seed;
    int taken;            /* samples of the cell, in turns before this one */
    double look_us;       /* what a look takes, as far as is known */
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
    double looked_us;   /* SAMPLE: the same, for looks and spots */
    int ungated, waits; /* samples of that kind */
    struct sensors sensors;
    double sm_counted_mhz;
    double gflops;        /* ROOF */
    int repeats;          /* REPEAT: launches after the first */
    double look_us;       /* VERIFY: what such a look takes */
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
