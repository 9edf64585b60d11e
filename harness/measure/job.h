/* SPDX-License-Identifier: MIT
 *
 * The worker process's steps for a cell. The caller
 * (harness/measure/measure.h) keeps all state of a cell, so that another
 * worker can go on if one dies.
 */
#pragma once

#include "harness/measure/buffers.h"

enum job_kind {
    JOB_VERIFY,    /* one launch on a poisoned output, verified */
    JOB_SAMPLE,    /* timed launches */
    JOB_FINISH,    /* more samples, on changed input: verified */
    JOB_REPEAT,    /* more launches, whose outputs are compared or verified */
    JOB_NONFINITE, /* launches on infinities, NaNs and overflows, and on sums
                      that must not fall */
    JOB_EMPTY,     /* an empty kernel, timed like a cell of that cache state */
    JOB_ROOF,      /* the flat roof of the dtype's additions */
    JOB_PROFILE,   /* one launch between a profiler's start and stop */
};

enum { JOB_SAMPLES = 256 }; /* at most, of one job */

/* REPEAT stops after this time, but not before this many launches follow the
 * first. */
#define REPEAT_ENOUGH_S 0.5
enum { REPEAT_LEAST = 3 };

/* A hash of an output. */
struct fingerprint {
    bool known;
    uint64_t hash;
};

struct job {
    enum job_kind kind;
    struct cell cell;
    struct input input; /* VERIFY, REPEAT, NONFINITE, FINISH */
    int least, most;    /* samples; SAMPLE and EMPTY */
    int repeats;        /* REPEAT */
    double budget_us;   /* by the host's clock, between least and most */

    /* SAMPLE: the sample whose output is checked (-1 for none), and the one
     * with a canary. Small outputs are checked more often. */
    int check_at, canary_at;
    uint64_t seed; /* of the canaries' places */
    int taken;     /* samples of the cell in rounds before this one */
    struct fingerprint verified;

    uint64_t number; /* set by the worker, and repeated in the result */
};

/* Has a reason unless status is ok. */
struct job_result {
    enum status status;
    char reason[REASON_BYTES];
    bool fatal; /* the device may be beyond repair: end the worker */
    double launch_us;
    bool loaded_code; /* true if the launch may have loaded its code */
    double max_error, bound;
    int count; /* samples */
    int batch; /* launches in each */
    double us[JOB_SAMPLES], host_us[JOB_SAMPLES], exchange_us[JOB_SAMPLES];
    double spent_us;    /* by the host's clock, in samples */
    double checked_us;  /* SAMPLE: the same, in checks */
    int ungated, waits; /* samples of that kind */
    bool calls_torch;   /* as in struct variant */
    struct sensors sensors;
    double sm_counted_mhz;
    double gflops;               /* ROOF */
    int repeats;                 /* REPEAT: launches after the first */
    struct fingerprint verified; /* VERIFY: of deterministic output */
    uint64_t number;             /* the job's */
};

struct job_result job_result_of(enum status status);

void job_do(const struct job *job, const struct device *device,
            const struct device_facts *facts, struct job_result *report);

/* True if work ran on after the events stopped. `us` and host_us are of `batch`
 * launches each; a single sample needs more slack than a median. */
bool job_hides_work(double us, double host_us, int batch, double slack_us);

/* The host notices the end late, and may be interrupted. */
#define JOB_SLACK_OF_MEDIAN_US 50.0
#define JOB_SLACK_OF_SAMPLE_US 300.0

/* --- the steps of a job, which job.c calls; a function that returns bool
 *     returns false when the job is over, with the reason in the report --- */

/* State of a job. */
struct job_run {
    const struct cell *cell;
    const struct device *device;
    struct buffers buffers;
    struct job_result *report;
    double check_us; /* time spent in canaries and output checks */
};

/* --- job_verify.c --- */

/* Records a launch that is about to be made. True if it is the first of its
 * variant, operation and type in this process, and so may load its code. */
bool job_note_launch(const struct cell *cell);

bool job_launch(struct job_run *run, const struct problem *problem);

/* Launches on a poisoned output, and copies it to `out` in host memory. */
bool job_output(struct job_run *run, void *out);

void job_fail(struct job_run *run, enum status status, const char *reason);

/* Fails if `why` is an error of the device, which may affect later jobs. */
bool job_device_ok(struct job_run *run, const char *why);

/* Verifies the last output, input and guards; `when` begins the reason. */
bool job_judge(struct job_run *run, const struct problem *problem,
               struct input input, const char *when);

/* Verifies the guards alone. */
bool job_guards_intact(struct job_run *run, const struct problem *problem,
                       const char *when);

/* Verifies one launch on a poisoned output. */
void job_verify(struct job_run *run, struct input input);

/* True if exact input gives the same bits in every launch. */
bool job_has_same_bits(const struct cell *cell);

/* Compares the bits of repeated launches with the first launch's. Where other
 * bits may be right, verifies the launches that differ. */
void job_repeat(struct job_run *run, const struct job *job);

/* --- nonfinite.c --- */

/* Verifies launches with infinities, NaNs or overflow in one line. */
void job_contain(struct job_run *run);

/* --- rising.c --- */

/* Verifies what CONTRACT_MONOTONE promises. */
void job_rise(struct job_run *run);

/* --- job_sample.c --- */

extern const struct input job_timed_input;

void job_take_samples(struct job_run *run, const struct job *job);

/* Verifies launches that variants cannot distinguish from timed ones: outputs
 * hold the results of earlier launches, and the input differs from the timed
 * one in a few elements. Cold launches count as samples. */
void job_finish(struct job_run *run, const struct job *job);
