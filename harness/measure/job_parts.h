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
    /* Spent on what timed launches left: looking at all of it, at a spot. */
    double look_us, spot_us;
    double a_spot_us; /* the last one */
};

/* --- job_judge.c: that there is a launch, and what became of it --- */

/* Notes a launch that is about to be made, once for each. True: it is the first
 * of its kind in this process, and may have to load its code. */
bool job_note_launch(const struct cell *cell);

void job_fail(struct job_run *run, enum status status, const char *reason);

/* The device said no, unless `why` is NULL: unlike a wrong result, this may be
 * contagious. */
bool job_device_ok(struct job_run *run, const char *why);

/* Judges every element that the last launch left in the problem's out, and what
 * lies around it. `when`: for the reason. */
bool job_judge(struct job_run *run, const struct problem *problem,
               struct input input, const char *when);
bool job_guards_intact(struct job_run *run, const struct problem *problem,
                       const char *when);

/* Of the problem's output; as the device's functions return it. */
const char *job_fingerprint(struct job_run *run, const struct problem *problem,
                            uint64_t *found);

/* --- job_sample.c: what is timed --- */

extern const struct input job_timed_input;

void job_take_samples(struct job_run *run, const struct job *job);

/* Launches are judged that nobody can tell from those that are timed: the
 * outputs hold results of another edition of the input, no poison, and a look
 * at a few elements finds the input that was there before. Cold ones are
 * timed. */
void job_finish(struct job_run *run, const struct job *job);

#endif
