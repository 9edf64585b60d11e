/* SPDX-License-Identifier: MIT */
#include "harness/cell.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* Guard bands fence the output on both sides; a multiple of every dtype and
 * of the alignment that variants are promised. */
enum { GUARD_BYTES = 4096, GUARD_BYTE = 0xc3 };

enum { MIN_SAMPLES = 10, MAX_SAMPLES = 200 };

/* Grows, never shrinks, so that neighbouring cells reuse it. */
struct buffer {
    void *memory;
    size_t bytes;
};
static struct buffer in_buffer, mask_buffer, out_buffer, workspace_buffer;

char *cell_id(const struct cell *cell, char id[CELL_ID_BYTES])
{
    char shape[SHAPE_TEXT_BYTES];
    snprintf(id, CELL_ID_BYTES, "%s/%s/%s/%s", op_name(cell->op),
             cell->variant->name, dtype_name(cell->dtype),
             shape_format(cell->shape, shape));
    return id;
}

static struct problem problem_of(const struct cell *cell,
                                 const struct device_facts *facts)
{
    return (struct problem){ .op = cell->op,
                             .dtype = cell->dtype,
                             .shape = cell->shape,
                             .device = facts };
}

static size_t in_bytes(const struct cell *cell)
{
    return op_has_input(cell->op)
               ? (size_t)(shape_elems(cell->shape) + cell->offset) *
                     dtype_bytes(cell->dtype)
               : 0;
}

static size_t mask_bytes(const struct cell *cell)
{
    return op_has_mask(cell->op)
               ? (size_t)(shape_elems(cell->shape) + cell->offset)
               : 0;
}

static size_t out_bytes(const struct cell *cell)
{
    return (size_t)op_out_bytes(cell->op, cell->dtype, cell->shape) +
           (size_t)cell->offset * dtype_bytes(cell->dtype) + 2 * GUARD_BYTES;
}

static size_t workspace_bytes(const struct cell *cell,
                              const struct device_facts *facts)
{
    struct problem problem = problem_of(cell, facts);
    return cell->variant->workspace_bytes &&
                   op_out_bytes(cell->op, cell->dtype, cell->shape) > 0
               ? cell->variant->workspace_bytes(&problem)
               : 0;
}

int64_t cell_bytes(const struct cell *cell, const struct device_facts *facts)
{
    const int64_t bytes =
        (int64_t)(in_bytes(cell) + mask_bytes(cell) + out_bytes(cell) +
                  workspace_bytes(cell, facts));
    return bytes +
           device_of(facts->kind)->reference_bytes(cell->op, cell->shape);
}

const char *cell_skip(const struct cell *cell, const struct device_facts *facts)
{
    static char reason[REASON_BYTES];
    struct problem problem = problem_of(cell, facts);
    if (op_out_bytes(cell->op, cell->dtype, cell->shape) == 0)
        return "no output elements";
    if (cell->variant->refuses) {
        const char *refused = cell->variant->refuses(&problem);
        if (refused)
            return refused;
    }
    const int64_t bytes = cell_bytes(cell, facts);
    const int64_t room = facts->memory_free_bytes / 100 * 96;
    if (bytes <= room)
        return NULL;
    snprintf(reason, sizeof reason, "needs %.1f GB of memory; %.1f are free",
             (double)bytes * 1e-9, (double)room * 1e-9);
    return reason;
}

/* A run of one cell: what its steps share. */
struct run {
    const struct cell *cell;
    const struct device *device;
    struct problem problem;
    struct outcome *outcome;
    double launch_us; /* of the last untimed launch, by the host's clock */
};

static void fail(struct run *run, enum status status, const char *reason)
{
    run->outcome->status = status;
    snprintf(run->outcome->reason, REASON_BYTES, "%s", reason);
}

/* The device said no: unlike a wrong result, this may be contagious. */
static bool device_ok(struct run *run, const char *why)
{
    if (!why)
        return true;
    fail(run, STATUS_ERROR, why);
    run->outcome->fatal = true;
    return false;
}

static bool provide(struct run *run, struct buffer *buffer, size_t bytes)
{
    if (buffer->bytes >= bytes && buffer->memory)
        return true;
    run->device->release(buffer->memory);
    *buffer = (struct buffer){ 0 };
    if (!device_ok(run, run->device->allocate(bytes, &buffer->memory)))
        return false;
    buffer->bytes = bytes;
    return true;
}

static bool provide_all(struct run *run)
{
    const struct cell *cell = run->cell;
    struct problem *problem = &run->problem;
    const size_t elem = dtype_bytes(cell->dtype);
    const size_t shift = (size_t)cell->offset;
    const size_t workspace = workspace_bytes(cell, problem->device);
    if (!provide(run, &in_buffer, in_bytes(cell)) ||
        !provide(run, &mask_buffer, mask_bytes(cell)) ||
        !provide(run, &out_buffer, out_bytes(cell)) ||
        !provide(run, &workspace_buffer, workspace))
        return false;
    problem->in = (char *)in_buffer.memory + shift * elem;
    problem->mask =
        op_has_mask(cell->op) ? (uint8_t *)mask_buffer.memory + shift : NULL;
    /* read's output is not made of elements. */
    problem->out = (char *)out_buffer.memory + GUARD_BYTES +
                   (cell->op == OP_READ ? 0 : shift * elem);
    problem->workspace = workspace_buffer.memory;
    /* A variant that trusts a cleared workspace is wrong. */
    return device_ok(
        run, run->device->set(problem->workspace, POISON_BYTE, workspace));
}

static bool poison(struct run *run)
{
    const struct cell *cell = run->cell;
    const size_t bytes =
        (size_t)op_out_bytes(cell->op, cell->dtype, cell->shape);
    char *out = run->problem.out;
    return device_ok(run, run->device->set(out - GUARD_BYTES, GUARD_BYTE,
                                           GUARD_BYTES)) &&
           device_ok(run, run->device->set(out, POISON_BYTE, bytes)) &&
           device_ok(run,
                     run->device->set(out + bytes, GUARD_BYTE, GUARD_BYTES));
}

/* The first bad element's place, for whoever debugs the variant. */
static void fail_wrong(struct run *run, const struct verdict *verdict,
                       const char *when)
{
    const struct shape s = run->problem.shape;
    int64_t index = verdict->first_wrong;
    struct outcome *outcome = run->outcome;
    outcome->status = STATUS_WRONG;
    if (run->problem.op == OP_READ)
        snprintf(outcome->reason, REASON_BYTES,
                 "%s: the checksum of what was read is not the input's", when);
    else if (run->problem.op == OP_SUM)
        snprintf(outcome->reason, REASON_BYTES,
                 "%s: %lld of %lld wrong; the first is line %lld", when,
                 (long long)verdict->wrong, (long long)verdict->checked,
                 (long long)index);
    else
        snprintf(outcome->reason, REASON_BYTES,
                 "%s: %lld of %lld wrong; the first is (o %lld; a %lld; i "
                 "%lld)",
                 when, (long long)verdict->wrong, (long long)verdict->checked,
                 (long long)(index / s.inner / s.axis),
                 (long long)(index / s.inner % s.axis),
                 (long long)(index % s.inner));
}

static bool guards_intact(struct run *run, const char *when)
{
    const struct cell *cell = run->cell;
    char *out = run->problem.out;
    const size_t bytes =
        (size_t)op_out_bytes(cell->op, cell->dtype, cell->shape);
    bool below, above;
    if (!device_ok(run, run->device->holds(out - GUARD_BYTES, GUARD_BYTE,
                                           GUARD_BYTES, &below)) ||
        !device_ok(run, run->device->holds(out + bytes, GUARD_BYTE, GUARD_BYTES,
                                           &above)))
        return false;
    if (below && above)
        return true;
    char reason[REASON_BYTES];
    snprintf(reason, sizeof reason, "%s: wrote %s the output", when,
             below ? "past the end of" : "before");
    fail(run, STATUS_WRONG, reason);
    return false;
}

/* Judges what the last launch left in out. */
static bool check(struct run *run, enum input_kind kind, const char *when)
{
    struct verdict verdict;
    struct outcome *outcome = run->outcome;
    if (!device_ok(run, run->device->check(&run->problem, run->cell->variant,
                                           kind, &verdict)))
        return false;
    if (kind == INPUT_REAL) {
        outcome->bound = verdict.bound;
        if (!(verdict.max_error <= outcome->max_error))
            outcome->max_error = verdict.max_error;
    }
    if (verdict.wrong != 0 || verdict.first_wrong >= 0) {
        fail_wrong(run, &verdict, when);
        return false;
    }
    int64_t outputs = op_out_elems(run->cell->op, run->cell->shape);
    if (verdict.checked != outputs) {
        fail(run, STATUS_ERROR, "the verifier did not look at every element");
        return false;
    }
    if (verdict.input_changed) {
        fail(run, STATUS_WRONG, "wrote to its input or mask");
        run->outcome->fatal = true; /* nobody knows what else it touched */
        return false;
    }
    return guards_intact(run, when);
}

/* Only a launch that failed by itself leaves the device in order; which that
 * is, is hard to tell, so the worker is replaced in any case. */
static bool launch(struct run *run)
{
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    const char *why = run->device->launch(run->cell->variant, &run->problem);
    clock_gettime(CLOCK_MONOTONIC, &end);
    run->launch_us = (double)(end.tv_sec - start.tv_sec) * 1e6 +
                     (double)(end.tv_nsec - start.tv_nsec) * 1e-3;
    return device_ok(run, why);
}

static bool verify(struct run *run, enum input_kind kind, const char *when)
{
    return device_ok(run, run->device->fill(&run->problem, kind)) &&
           poison(run) && launch(run) && check(run, kind, when);
}

static bool take_samples(struct run *run)
{
    static double samples[MAX_SAMPLES];
    double spent_us = 0;
    int count = 0;
    for (;;) {
        const bool last =
            count + 1 == MAX_SAMPLES ||
            (count + 1 >= MIN_SAMPLES && spent_us >= run->cell->budget_us);
        /* The last launch is judged, so it starts from poison. */
        if (last && !poison(run))
            return false;
        if (!device_ok(run,
                       run->device->sample(run->cell->variant, &run->problem,
                                           &samples[count])))
            return false;
        spent_us += samples[count++];
        if (last)
            break;
    }
    run->outcome->us = stats_of(samples, (size_t)count);
    run->device->sense(&run->outcome->sensors);
    return true;
}

void cell_run(const struct cell *cell, const struct device *device,
              const struct device_facts *facts, struct outcome *outcome)
{
    struct run run = { .cell = cell,
                       .device = device,
                       .problem = problem_of(cell, facts),
                       .outcome = outcome };
    *outcome = (struct outcome){ .status = STATUS_OK,
                                 .max_error = NAN,
                                 .bound = NAN,
                                 .sensors = { NAN, NAN, NAN, NAN } };
    const char *skip = cell_skip(cell, facts);
    if (skip) {
        fail(&run, STATUS_SKIP, skip);
        return;
    }
    if (!provide_all(&run) || !verify(&run, INPUT_EXACT, "exact input"))
        return;
    /* The first launch may have had to load the code, so unless it was slow
     * beyond doubt the second one, on the other input, decides. */
    const bool hopeless = cell->timed && run.launch_us > 4 * cell->slow_us;
    if (!hopeless && !verify(&run, INPUT_REAL, "real input"))
        return;
    if (cell->timed && run.launch_us > cell->slow_us) {
        char reason[REASON_BYTES];
        snprintf(reason, sizeof reason,
                 "right but slow: one launch took %.2f s (see --slow)",
                 run.launch_us * 1e-6);
        fail(&run, STATUS_SKIP, reason);
        outcome->slow = true;
        return;
    }
    if (!cell->timed) {
        /* What one launch leaves behind must not harm the next. */
        if (poison(&run) && launch(&run))
            check(&run, INPUT_REAL, "second launch");
        return;
    }
    if (take_samples(&run))
        check(&run, INPUT_REAL, "after timing");
}
