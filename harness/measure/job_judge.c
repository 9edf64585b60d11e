/* SPDX-License-Identifier: MIT */
#include "harness/measure/job_parts.h"

#include <stdio.h>
#include <string.h>

bool job_note_launch(const struct cell *cell)
{
    enum { MOST = 4096 };
    static struct {
        const struct variant *variant;
        enum op op;
        enum dtype dtype;
    } loaded[MOST];
    static int count;
    for (int k = 0; k < count; ++k)
        if (loaded[k].variant == cell->variant && loaded[k].op == cell->op &&
            loaded[k].dtype == cell->dtype)
            return false;
    if (count < MOST) {
        loaded[count].variant = cell->variant;
        loaded[count].op = cell->op;
        loaded[count++].dtype = cell->dtype;
    }
    return true;
}

void job_fail(struct job_run *run, enum status status, const char *reason)
{
    run->report->status = status;
    snprintf(run->report->reason, REASON_BYTES, "%s", reason);
}

bool job_device_ok(struct job_run *run, const char *why)
{
    if (!why)
        return true;
    job_fail(run, STATUS_ERROR, why);
    run->report->fatal = true;
    return false;
}

/* What the first bad element is, and what it ought to be. */
static void add_values(struct job_run *run, const struct problem *problem,
                       struct input input, int64_t index)
{
    uint64_t bits = 0;
    char *reason = run->report->reason;
    const size_t bytes = dtype_bytes(problem->dtype), used = strlen(reason);
    const char *at = (const char *)problem->out + (size_t)index * bytes;
    if (run->device->copy(&bits, at, bytes))
        return;
    snprintf(reason + used, REASON_BYTES - used, "; expected %.9g; got %.9g",
             verify_expected(problem, input, index),
             dtype_value(problem->dtype, bits));
}

/* The first bad element's place, for whoever debugs the variant. */
static void fail_wrong(struct job_run *run, const struct problem *problem,
                       struct input input, const struct verification *result,
                       const char *when)
{
    const struct shape s = run->cell->shape;
    int64_t index = result->first_wrong;
    char *reason = run->report->reason;
    run->report->status = STATUS_WRONG;
    if (run->cell->op == OP_READ)
        snprintf(reason, REASON_BYTES,
                 "%s: the checksum of what was read is not the input's", when);
    else if (run->cell->op == OP_SUM)
        snprintf(reason, REASON_BYTES,
                 "%s: %lld of %lld wrong; the first is line %lld", when,
                 (long long)result->wrong, (long long)result->checked,
                 (long long)index);
    else
        snprintf(reason, REASON_BYTES,
                 "%s: %lld of %lld wrong; the first is (o %lld; a %lld; i "
                 "%lld)",
                 when, (long long)result->wrong, (long long)result->checked,
                 (long long)(index / s.inner / s.axis),
                 (long long)(index / s.inner % s.axis),
                 (long long)(index % s.inner));
    if (run->cell->op != OP_READ && index >= 0)
        add_values(run, problem, input, index);
}

bool job_guards_intact(struct job_run *run, const struct problem *problem,
                       const char *when)
{
    const char *why;
    const char *where = buffers_trespass(problem, run->cell, run->device, &why);
    if (!job_device_ok(run, why))
        return false;
    if (!where)
        return true;
    char reason[REASON_BYTES];
    snprintf(reason, sizeof reason, "%s: wrote %s", when, where);
    job_fail(run, STATUS_WRONG, reason);
    run->report->fatal = true; /* nobody knows what else it wrote to */
    return false;
}

bool job_judge(struct job_run *run, const struct problem *problem,
               struct input input, const char *when)
{
    struct verification result;
    struct job_result *report = run->report;
    if (!job_device_ok(run, buffers_settle(problem, run->cell, run->device)) ||
        !job_device_ok(run, run->device->check(problem, run->cell->variant,
                                               input, &result)))
        return false;
    if (input.kind == INPUT_REAL) {
        report->bound = result.bound;
        report->max_error = result.max_error;
    }
    if (result.wrong != 0 || result.first_wrong >= 0) {
        fail_wrong(run, problem, input, &result, when);
        return false;
    }
    if (result.checked != op_out_elems(run->cell->op, run->cell->shape)) {
        job_fail(run, STATUS_ERROR,
                 "the verifier did not look at every element");
        return false;
    }
    if (result.input_changed) {
        job_fail(run, STATUS_WRONG, "wrote to its input or mask");
        report->fatal = true; /* nobody knows what else it touched */
        return false;
    }
    return job_guards_intact(run, problem, when);
}

const char *job_fingerprint(struct job_run *run, const struct problem *problem,
                            uint64_t *found)
{
    return run->device->fingerprint(
        problem->out,
        (size_t)op_out_bytes(problem->op, problem->dtype, problem->shape),
        found);
}
