/* SPDX-License-Identifier: MIT
 *
 * What a job is made of; job.c calls the other files. Functions that return
 * bool return false when the job is over, with the reason in the report.
 */
#ifndef HARNESS_MEASURE_JOB_PARTS_H
#define HARNESS_MEASURE_JOB_PARTS_H

#include "harness/measure/buffers.h"
#include "harness/measure/job.h"

/* What a job's steps share. */
struct job_run {
    const struct cell *cell;
    const struct device *device;
    struct buffers buffers;
    struct job_result *report;
    double check_us; /* spent on checking what timed launches left */
};

/* --- job_verify.c --- */

/* Notes a launch that is about to be made. True if it is the first of its kind
 * in this process, and so may load its code. */
bool job_note_launch(const struct cell *cell);

bool job_launch(struct job_run *run, const struct problem *problem);

void job_fail(struct job_run *run, enum status status, const char *reason);

/* Fails if `why` is an error of the device, which may affect later jobs. */
bool job_device_ok(struct job_run *run, const char *why);

/* Verifies every element of the last launch's output, the input and the guards;
 * `when` is for the reason. */
bool job_judge(struct job_run *run, const struct problem *problem,
               struct input input, const char *when);

/* Takes the fingerprint of the problem's output. */
const char *job_fingerprint(struct job_run *run, const struct problem *problem,
                            uint64_t *found);

/* One launch from poison; launches that must give the same bits; launches on
 * NaNs and infinities. */
void job_verify(struct job_run *run, struct input input);
void job_repeat(struct job_run *run, int times);
void job_contain(struct job_run *run);

/* --- job_sample.c --- */

extern const struct input job_timed_input;

void job_take_samples(struct job_run *run, const struct job *job);

/* Verifies launches that nobody can tell from timed ones: the outputs hold what
 * earlier launches left, and the input is the timed one but for a few elements.
 * Cold launches count as samples. */
void job_finish(struct job_run *run, const struct job *job);

#endif
