/* SPDX-License-Identifier: MIT
 *
 * The steps of a job, which job.c calls. Functions that return bool return
 * false when the job is over, with the reason in the report.
 */
#ifndef HARNESS_MEASURE_JOB_PARTS_H
#define HARNESS_MEASURE_JOB_PARTS_H

#include "harness/measure/buffers.h"
#include "harness/measure/job.h"

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

void job_fail(struct job_run *run, enum status status, const char *reason);

/* Fails if `why` is an error of the device, which may affect later jobs. */
bool job_device_ok(struct job_run *run, const char *why);

/* Verifies every element of the last launch's output, the input and the guards;
 * `when` begins the reason. */
bool job_judge(struct job_run *run, const struct problem *problem,
               struct input input, const char *when);

/* Verifies the guards alone. */
bool job_guards_intact(struct job_run *run, const struct problem *problem,
                       const char *when);

/* Takes the fingerprint of the problem's output. */
const char *job_fingerprint(struct job_run *run, const struct problem *problem,
                            uint64_t *found);

/* Verifies one launch on a poisoned output. */
void job_verify(struct job_run *run, struct input input);

/* Compares the bits of repeated launches. */
void job_repeat(struct job_run *run, int times);

/* --- nonfinite.c --- */

/* Verifies launches on the exact input with infinities, NaNs or overflow in one
 * line. */
void job_contain(struct job_run *run);

/* --- job_sample.c --- */

extern const struct input job_timed_input;

void job_take_samples(struct job_run *run, const struct job *job);

/* Verifies launches that variants cannot distinguish from timed ones: outputs
 * hold the results of earlier launches, and the input differs from the timed
 * one in a few elements. Cold launches count as samples. */
void job_finish(struct job_run *run, const struct job *job);

#endif
