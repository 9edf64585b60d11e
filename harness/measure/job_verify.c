/* SPDX-License-Identifier: MIT */
#include "harness/measure/job.h"
#include "src/base/clock.h"
#include "src/pretend.h"
#include "src/verify/input.h"

#include <stdio.h>
#include <string.h>

static const char *const input_names[INPUT_KINDS] = {
    "exact input", "real input", "special input", "input of any bits"
};

bool job_note_launch(const struct cell *cell)
{
    enum { MOST = 4096 };
    static struct cell loaded[MOST];
    static int count;
    for (int k = 0; k < count; ++k)
        if (loaded[k].variant == cell->variant && loaded[k].op == cell->op &&
            loaded[k].dtype == cell->dtype)
            return false;
    if (count < MOST)
        loaded[count++] = *cell;
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

/* The host walks lines of so many elements for an expected value; longer ones
 * would take seconds, and the cell would be late instead of wrong. */
enum { EXPECTED_MOST = 1 << 22 };

/* Reports the first wrong element: its place, the expected and actual value. */
static void fail_wrong(struct job_run *run, const struct problem *problem,
                       struct input input, const struct verification *result,
                       const char *when)
{
    const size_t bytes = op_out_elem_bytes(problem->op, problem->dtype);
    const int64_t inner = run->cell->shape.inner;
    int64_t index = result->first_wrong, line = index, a;
    uint64_t bits = 0;
    char *reason = run->report->reason, text[VALUE_BYTES];
    run->report->status = STATUS_WRONG;
    if (run->cell->op == OP_READ)
        snprintf(reason, REASON_BYTES,
                 "%s: the checksum of what was read is not the input's", when);
    else if (op_is_reduction(run->cell->op))
        snprintf(reason, REASON_BYTES,
                 "%s: %lld of %lld wrong; the first is line %lld", when,
                 (long long)result->wrong, (long long)result->checked,
                 (long long)index);
    else {
        verify_locate(run->cell->shape, index, &line, &a);
        snprintf(
            reason, REASON_BYTES,
            "%s: %lld of %lld wrong; the first is (o %lld; a %lld; i %lld)",
            when, (long long)result->wrong, (long long)result->checked,
            (long long)(line / inner), (long long)a, (long long)(line % inner));
    }
    const char *at = (const char *)problem->out + (size_t)index * bytes;
    if (run->cell->op == OP_READ || index < 0 ||
        run->device->copy(&bits, at, bytes))
        return;
    size_t used = strlen(reason);
    if (verify_line(problem, input, line).axis <= EXPECTED_MOST)
        snprintf(reason + used, REASON_BYTES - used, "; expected %s",
                 verify_number(problem, verify_expected(problem, input, index),
                               text));
    used = strlen(reason);
    snprintf(reason + used, REASON_BYTES - used, "; got %s",
             verify_number(problem, bits, text));
}

bool job_guards_intact(struct job_run *run, const struct problem *problem,
                       const char *when)
{
    const char *where = NULL;
    if (!job_device_ok(run, buffers_trespass(&run->buffers, problem, &where)))
        return false;
    if (!where)
        return true;
    char reason[REASON_BYTES];
    snprintf(reason, sizeof reason, "%s: wrote %s", when, where);
    job_fail(run, STATUS_WRONG, reason);
    run->report->fatal = true; /* other memory may be overwritten, too */
    return false;
}

bool job_judge(struct job_run *run, const struct problem *problem,
               struct input input, const char *when)
{
    struct verification result;
    struct job_result *report = run->report;
    bool intact;
    if (!job_device_ok(run, buffers_offsets(&run->buffers, problem, &intact)))
        return false;
    if (!intact) {
        job_fail(run, STATUS_WRONG, "wrote to its offsets");
        report->fatal = true; /* without them, no line is found */
        return false;
    }
    if (!job_device_ok(run, buffers_settle(&run->buffers, problem)) ||
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
        job_fail(run, STATUS_ERROR, "the verifier left out an element");
        return false;
    }
    if (result.input_changed) {
        job_fail(run, STATUS_WRONG, "wrote to its input or mask");
        report->fatal = true; /* likewise */
        return false;
    }
    return job_guards_intact(run, problem, when);
}

bool job_launch(struct job_run *run, const struct problem *problem)
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

bool job_output(struct job_run *run, void *out)
{
    const struct problem *problem = &run->buffers.problems[0];
    const char *why = buffers_poison(&run->buffers, problem);
    if (!why)
        why = run->device->launch(run->cell->variant, problem);
    if (!why)
        why = buffers_settle(&run->buffers, problem);
    return job_device_ok(run, why ? why
                                  : run->device->copy(out, problem->out,
                                                      run->buffers.out_bytes));
}

/* Simultaneous launches may or may not interfere. */
enum { STRESSED_ROUNDS = 8 };

/* Skips a variant that this stress is impossible for. */
static bool launch_stressed(struct job_run *run, const struct problem *problems,
                            int count)
{
    const struct cell *cell = run->cell;
    bool unfit = cell->variant->output != NULL;
    const char *why = unfit
                          ? "it puts its output where it likes, and launches "
                            "at once would share the place"
                          : run->device->stressed(cell->variant, problems,
                                                  count, &cell->stress, &unfit);
    if (!unfit)
        return job_device_ok(run, why);
    job_fail(run, STATUS_SKIP, why);
    return false;
}

/* Launches under adverse conditions, and verifies each output. */
static bool verify_stressed(struct job_run *run, struct input input)
{
    void *memory = NULL;
    char when[64];
    struct problem problems[STRESS_MOST_STREAMS];
    const struct stress *stress = &run->cell->stress;
    const int count = stress->streams ? stress->streams : 1;
    bool ok = job_device_ok(run, buffers_several(&run->buffers, count, problems,
                                                 &memory)) &&
              launch_stressed(run, problems, count);
    snprintf(when, sizeof when, "under stress; %s", input_names[input.kind]);
    for (int k = 0; k < count && ok; ++k)
        ok = job_judge(run, &problems[k], input, when);
    if (!run->report->fatal)
        run->device->release(memory);
    return ok;
}

/* The workspace holds garbage or, later, remains of other input. */
void job_verify(struct job_run *run, struct input input)
{
    const struct problem *problem = &run->buffers.problems[0];
    const char *why = buffers_poison(&run->buffers, problem);
    if (!why && input.kind != INPUT_REAL)
        why = buffers_garbage(&run->buffers, problem, 0);
    const struct stress *stress = &run->cell->stress;
    bool ok = job_device_ok(run, why) && job_launch(run, problem);
    ok = ok && job_judge(run, problem, input, input_names[input.kind]);
    struct fingerprint *verified = &run->report->verified;
    if (ok && input.kind == INPUT_REAL && run->cell->timed &&
        run->cell->variant->deterministic)
        verified->known = job_device_ok(
            run, run->device->fingerprint(problem->out, run->buffers.out_bytes,
                                          &verified->hash));
    const int rounds = stress->streams      ? STRESSED_ROUNDS
                       : stress_any(stress) ? 1
                                            : 0;
    for (int round = 0; round < rounds && ok; ++round)
        ok = verify_stressed(run, input);
}

bool job_has_same_bits(const struct cell *cell)
{
    return cell_promises(cell, SAME_BITS) ||
           op_has_one_result(cell->op, cell->dtype);
}

/* Poisons the output from a random byte on: a variant may work only if its
 * output begins with poison, and a race may leave a part unwritten. */
static const char *ready(const struct job_run *run, int number)
{
    const struct problem *problem = &run->buffers.problems[0];
    const uint64_t bytes = run->buffers.out_bytes;
    if (number == 0)
        return buffers_poison(&run->buffers, problem);
    const size_t from = split_mix_hash((uint64_t)number) % bytes;
    return run->device->set((char *)problem->out + from, POISON_BYTE,
                            bytes - from);
}

/* Changes the facts in each launch; on a GPU, only those that portable bits do
 * not fix. False if the variant may need its device's own. */
static bool elsewhere(const struct job_run *run, int number,
                      struct device_facts *facts)
{
    facts->sm_count = 1 + number % 3;
    facts->l2_bytes >>= number % 3;
    facts->memory_bytes >>= number % 3;
    return cell_promises(run->cell, CONTRACT_PORTABLE_BITS) &&
           (facts->kind == DEVICE_HOST || pretend_portable(facts)) &&
           !cell_skip(run->cell, facts) &&
           cell_workspace_bytes(run->cell, facts) <=
               run->buffers.workspace_bytes;
}

static const char *launch_repeated(const struct job_run *run, int number)
{
    bool unfit; /* false, or verifying would have skipped the cell */
    const struct cell *cell = run->cell;
    struct problem problem = run->buffers.problems[0];
    struct device_facts facts = *problem.device;
    const char *why = ready(run, number);
    if (elsewhere(run, number, &facts))
        problem.device = &facts;
    if (!why && number % 2 == 0)
        why = buffers_garbage(&run->buffers, &problem, (uint64_t)number);
    if (!why)
        why = stress_any(&cell->stress)
                  ? run->device->stressed(cell->variant, &problem, 1,
                                          &cell->stress, &unfit)
                  : run->device->launch(cell->variant, &problem);
    return why ? why : buffers_settle(&run->buffers, &problem);
}

/* *at is the first byte in which two outputs differ. */
static const char *find_difference(const struct device *device,
                                   const char *left, const char *right,
                                   size_t bytes, size_t *at)
{
    enum { PIECE = 1 << 16 };
    static char pieces[2][PIECE];
    const char *why = NULL;
    for (size_t from = 0; from < bytes && !why; from += PIECE) {
        const size_t size = bytes - from < PIECE ? bytes - from : PIECE;
        why = device->copy(pieces[0], left + from, size);
        if (!why)
            why = device->copy(pieces[1], right + from, size);
        for (size_t k = 0; k < size && !why; ++k)
            if (pieces[0][k] != pieces[1][k]) {
                *at = from + k;
                return NULL;
            }
    }
    return why;
}

/* Judges launch k, from 0: the first, or one whose bits differ from it. */
static bool judge_new(struct job_run *run, const struct job *job, int k,
                      const void *first_out)
{
    const struct problem *problem = &run->buffers.problems[0];
    const size_t bytes = run->buffers.out_bytes;
    char when[64];
    size_t byte = 0;
    snprintf(when, sizeof when, "launch %d of %d", k + 1, job->repeats + 1);
    if (!job_has_same_bits(run->cell))
        return job_judge(run, problem, job->input, when);
    if (k == 0)
        return true;
    const char *why =
        find_difference(run->device, first_out, problem->out, bytes, &byte);
    run->report->status = STATUS_WRONG;
    snprintf(run->report->reason, REASON_BYTES,
             "%s%s gave other bits than the first: element %lld",
             cell_promises(run->cell, CONTRACT_PORTABLE_BITS)
                 ? "should have portable_bits, but "
             : cell_promises(run->cell, CONTRACT_DETERMINISTIC)
                 ? "should be deterministic, but "
                 : "exact input: ",
             when,
             (long long)((int64_t)byte *
                         op_out_elems(run->cell->op, run->cell->shape) /
                         (int64_t)bytes));
    job_device_ok(run, why);
    return false;
}

/* Repeats the launch, whose first output is kept in first_out. */
static bool judge_repeated(struct job_run *run, const struct job *job,
                           void *first_out)
{
    const struct device *device = run->device;
    const void *out = run->buffers.problems[0].out;
    const size_t bytes = run->buffers.out_bytes;
    const double start = clock_s();
    uint64_t first = 0, found = 0;
    for (int k = 0; k <= job->repeats; ++k) {
        if (k > REPEAT_LEAST && clock_s() - start > REPEAT_ENOUGH_S)
            break;
        if (!job_device_ok(run, launch_repeated(run, k)) ||
            !job_device_ok(run, device->fingerprint(out, bytes, &found)))
            return false;
        if (k == 0) {
            first = found;
            if (!job_device_ok(run, device->copy(first_out, out, bytes)))
                return false;
        }
        if ((k == 0 || found != first) && !judge_new(run, job, k, first_out))
            return false;
        run->report->repeats = k;
    }
    return job_guards_intact(run, &run->buffers.problems[0],
                             "repeated launches");
}

void job_repeat(struct job_run *run, const struct job *job)
{
    void *first_out = NULL;
    if (!job_device_ok(
            run, run->device->allocate(run->buffers.out_bytes, &first_out)))
        return;
    judge_repeated(run, job, first_out);
    if (!run->report->fatal)
        run->device->release(first_out);
}
