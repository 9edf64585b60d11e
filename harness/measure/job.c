/* SPDX-License-Identifier: MIT */
#include "harness/measure/job_parts.h"
#include "harness/measure/nonfinite.h"
#include "harness/measure/repeat.h"
#include "src/base/clock.h"

#include <math.h>
#include <stdio.h>

static const char *const input_names[INPUT_KINDS] = {
    "exact input", "real input", "special input", "input of any bits"
};

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

static bool launch(struct job_run *run, const struct problem *problem)
{
    run->report->loaded_code = job_note_launch(run->cell);
    const char *why = run->device->prepare
                          ? run->device->prepare(run->cell->variant, problem)
                          : NULL;
    const double start = clock_us();
    if (!why)
        why = run->device->launch(run->cell->variant, problem);
    run->report->launch_us = clock_us() - start;
    return job_device_ok(run, why);
}

/* Launches at once may meet or not. */
enum { STRESSED_ROUNDS = 8 };

/* What cannot be put under the stress is skipped, and nothing is wrong. */
static bool launch_stressed(struct job_run *run, const struct problem *problems,
                            int count)
{
    const struct cell *cell = run->cell;
    bool unfit = cell->variant->output != NULL;
    const char *why =
        unfit ? "it puts its output where it likes, and launches at once would "
                "share the place"
              : run->device->stressed(cell->variant, problems, count,
                                      &cell->stress, &unfit);
    if (!unfit)
        return job_device_ok(run, why);
    job_fail(run, STATUS_SKIP, why);
    return false;
}

/* The same launch under adverse conditions; each of the outputs is judged. */
static bool verify_stressed(struct job_run *run, struct input input)
{
    void *memory = NULL;
    char when[64];
    struct problem problems[STRESS_MOST_STREAMS];
    const struct stress *stress = &run->cell->stress;
    const int count = stress->streams ? stress->streams : 1;
    bool ok = job_device_ok(run, buffers_several(&run->buffers, run->cell,
                                                 run->device, count, problems,
                                                 &memory)) &&
              launch_stressed(run, problems, count);
    snprintf(when, sizeof when, "under stress; %s", input_names[input.kind]);
    for (int k = 0; k < count && ok; ++k)
        ok = job_judge(run, &problems[k], input, when);
    if (!run->report->fatal)
        run->device->release(memory);
    return ok;
}

/* What later launches on the same input are held to, and what that takes. */
static void keep_fingerprint(struct job_run *run, const struct problem *problem,
                             double judge_us)
{
    struct job_result *report = run->report;
    report->look_us = judge_us;
    if (!run->cell->variant->deterministic)
        return;
    const double start = clock_us();
    if (!job_device_ok(run,
                       job_fingerprint(run, problem, &report->fingerprint)))
        return;
    report->look_us = clock_us() - start;
    report->has_fingerprint = true;
}

/* The workspace is garbage at first, and then what a launch on other input
 * left there. */
static void verify(struct job_run *run, struct input input)
{
    const struct problem *problem = &run->buffers.problems[0];
    const char *why = buffers_poison(problem, run->cell, run->device);
    if (!why && input.kind != INPUT_REAL)
        why = buffers_garbage(problem, run->cell, run->device, 0);
    const struct stress *stress = &run->cell->stress;
    bool ok = job_device_ok(run, why) && launch(run, problem);
    const double start = clock_us();
    ok = ok && job_judge(run, problem, input, input_names[input.kind]);
    if (ok && input.kind == INPUT_REAL && run->cell->timed)
        keep_fingerprint(run, problem, clock_us() - start);
    const int rounds = stress->streams      ? STRESSED_ROUNDS
                       : stress_any(stress) ? 1
                                            : 0;
    for (int round = 0; round < rounds && ok; ++round)
        ok = verify_stressed(run, input);
}

static void repeat(struct job_run *run, int times)
{
    struct repeated repeated;
    const struct problem *problem = &run->buffers.problems[0];
    if (!job_device_ok(run, repeat_launches(run->cell, problem, run->device,
                                            times, &repeated)))
        return;
    run->report->repeats = repeated.times;
    if (!repeated.launch) {
        job_guards_intact(run, problem, "repeated launches");
        return;
    }
    run->report->status = STATUS_WRONG;
    snprintf(run->report->reason, REASON_BYTES,
             "%slaunch %d of %d gave other bits than the first: element "
             "%lld",
             run->cell->variant->deterministic
                 ? "says that it is deterministic, but "
                 : "exact input: ",
             repeated.launch + 1, times + 1, (long long)repeated.elem);
}

static void contain(struct job_run *run)
{
    struct containment c;
    const struct problem *problem = &run->buffers.problems[0];
    if (!job_device_ok(run,
                       nonfinite_launches(run->cell, problem, run->device, &c)))
        return;
    if (!c.why) {
        if (c.line >= 0)
            job_guards_intact(run, problem, "on infinities and NaNs");
        return;
    }
    if (c.elem < 0) {
        job_fail(run, STATUS_WRONG, c.why);
        return;
    }
    run->report->status = STATUS_WRONG;
    snprintf(run->report->reason, REASON_BYTES,
             "%s in line %lld: element %lld %s", c.what, (long long)c.line,
             (long long)c.elem, c.why);
}

static void profile(struct job_run *run)
{
    const struct problem *problem = &run->buffers.problems[0];
    if (!launch(run, problem))
        return;
    if (run->device->profile)
        run->device->profile(true);
    launch(run, problem);
    if (run->device->profile)
        run->device->profile(false);
}

static void time_empty(struct job_run *run, const struct job *job)
{
    struct cell cell = job->cell;
    cell.variant = run->device->empty;
    cell.timed = true;
    run->cell = &cell;
    run->buffers.count = 1;
    job_take_samples(run, job);
}

/* Memory and inputs, or the reason why not. */
static bool prepare(struct job_run *run, const struct job *job,
                    const struct device_facts *facts)
{
    const char *skip = cell_skip(run->cell, facts);
    if (skip) {
        job_fail(run, STATUS_SKIP, skip);
        return false;
    }
    if (!job_device_ok(
            run, buffers_provide(&run->buffers, run->cell, run->device, facts)))
        return false;
    const bool finishes = job->kind == JOB_FINISH;
    /* Any edition will do to begin with, and none where nothing is launched
     * before the one that is judged. */
    if (finishes &&
        (!run->cell->timed || buffers_are_real(&run->buffers, run->cell)))
        return true;
    const bool chosen = job->kind == JOB_VERIFY || job->kind == JOB_REPEAT ||
                        job->kind == JOB_NONFINITE;
    const bool all = finishes || job->kind == JOB_SAMPLE;
    return job_device_ok(run,
                         buffers_fill(&run->buffers, run->cell, run->device,
                                      chosen ? job->input : job_timed_input, 0,
                                      all ? run->buffers.count : 1));
}

static void work_on_cell(struct job_run *run, const struct job *job,
                         const struct device_facts *facts)
{
    if (!prepare(run, job, facts))
        return;
    if (job->kind == JOB_VERIFY)
        verify(run, job->input);
    else if (job->kind == JOB_SAMPLE)
        job_take_samples(run, job);
    else if (job->kind == JOB_FINISH)
        job_finish(run, job);
    else if (job->kind == JOB_REPEAT)
        repeat(run, job->repeats);
    else if (job->kind == JOB_NONFINITE)
        contain(run);
    else
        profile(run);
    /* A wrong kernel may have written where it should not have. */
    if (run->report->status != STATUS_OK)
        buffers_forget();
}

void job_do(const struct job *job, const struct device *device,
            const struct device_facts *facts, struct job_result *report)
{
    struct job_run run = { .cell = &job->cell,
                           .device = device,
                           .report = report };
    *report = job_result_of(STATUS_OK);
    report->number = job->number;
    if (job->kind == JOB_ROOF)
        job_device_ok(&run,
                      device->add_gflops(job->cell.dtype, &report->gflops));
    else if (job->kind == JOB_EMPTY)
        time_empty(&run, job);
    else
        work_on_cell(&run, job, facts);
}
