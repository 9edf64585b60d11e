/* SPDX-License-Identifier: MIT */
#include "harness/measure/job.h"

#include <math.h>

struct job_result job_result_of(enum status status)
{
    return (struct job_result){ .status = status,
                                .launch_us = NAN,
                                .max_error = NAN,
                                .bound = NAN,
                                .sensors = sensors_unknown(),
                                .sm_counted_mhz = NAN,
                                .gflops = NAN };
}

static void profile(struct job_run *run)
{
    const struct problem *problem = &run->buffers.problems[0];
    if (!job_launch(run, problem))
        return;
    if (run->device->profile)
        run->device->profile(true);
    job_launch(run, problem);
    if (run->device->profile)
        run->device->profile(false);
}

/* Provides memory and inputs, or reports why not. */
static bool prepare(struct job_run *run, const struct job *job,
                    const struct device_facts *facts)
{
    const char *skip = cell_skip(run->cell, facts);
    if (skip) {
        job_fail(run, STATUS_SKIP, skip);
        return false;
    }
    const bool chosen = job->kind == JOB_VERIFY || job->kind == JOB_REPEAT ||
                        job->kind == JOB_NONFINITE;
    const struct input input = chosen ? job->input : job_timed_input;
    if (!job_device_ok(run, buffers_provide(&run->buffers, run->cell,
                                            run->device, facts, input.kind)))
        return false;
    const bool finishes = job->kind == JOB_FINISH;
    /* Launches that are not verified may run on any version. */
    if (finishes && (!run->cell->timed || buffers_are_real(&run->buffers)))
        return true;
    const bool all = finishes || job->kind == JOB_SAMPLE;
    return job_device_ok(run, buffers_fill(&run->buffers, input, 0,
                                           all ? run->buffers.count : 1));
}

static void work_on_cell(struct job_run *run, const struct job *job,
                         const struct device_facts *facts)
{
    if (!prepare(run, job, facts))
        return;
    if (job->kind == JOB_VERIFY)
        job_verify(run, job->input);
    else if (job->kind == JOB_SAMPLE)
        job_take_samples(run, job);
    else if (job->kind == JOB_FINISH)
        job_finish(run, job);
    else if (job->kind == JOB_REPEAT)
        job_repeat(run, job);
    else if (job->kind == JOB_NONFINITE) {
        job_contain(run);
        job_rise(run);
    } else
        profile(run);
    const struct variant *variant = run->cell->variant;
    run->report->calls_torch = variant->calls_torch && variant->calls_torch();
    /* A wrong kernel may have written anywhere. */
    if (run->report->status != STATUS_OK)
        buffers_forget();
}

void job_do(const struct job *job, const struct device *device,
            const struct device_facts *facts, struct job_result *report)
{
    struct cell empty = job->cell;
    struct job_run run = { .cell = &job->cell,
                           .device = device,
                           .report = report };
    *report = job_result_of(STATUS_OK);
    report->number = job->number;
    if (job->kind == JOB_ROOF)
        job_device_ok(&run,
                      device->add_gflops(job->cell.dtype, &report->gflops));
    else if (job->kind == JOB_EMPTY) {
        empty.variant = device->empty;
        empty.timed = true;
        run.cell = &empty;
        run.buffers.count = 1;
        job_take_samples(&run, job);
    } else
        work_on_cell(&run, job, facts);
}
