/* SPDX-License-Identifier: MIT */
#include "harness/measure/job.h"
#include "src/base/clock.h"
#include "src/model/split_mix.h"

#include <stdio.h>
#include <string.h>

const struct input job_timed_input = { INPUT_REAL, 0 };

/* A hot sample is a batch of launches that fills this time, so that the clock's
 * resolution and the first launch's start do not count. Their number is odd, so
 * that every set of buffers has the last output of some sample. */
static const double batch_us = 400;
enum { BATCH_LEAST = 2, BATCH_MOST = 31 };

/* `batch` launches per sample, which use the sets in turn. */
struct sampling {
    int warm; /* as in sample() of struct device */
    int batch, next;
    double us; /* time of a hot launch, as far as known */
    struct problem problems[BATCH_MOST];
};

static bool is_graph(const struct job_run *run)
{
    return run->cell->timed && run->cell->cache == CACHE_GRAPH;
}

static const char *take(struct job_run *run, struct sampling *s,
                        struct sample *sample)
{
    for (int k = 0; k < s->batch; ++k)
        s->problems[k] = run->buffers.problems[s->next++ % run->buffers.count];
    sample->in_graph = is_graph(run);
    return run->device->sample(run->cell->variant, s->problems, s->batch,
                               s->warm, sample);
}

/* Loads the code before the gate, which loading would wait for. Needed if
 * another worker verified the cell. */
static const char *load(struct job_run *run)
{
    if (!job_note_launch(run->cell))
        return NULL;
    return run->device->launch(run->cell->variant, &run->buffers.problems[0]);
}

static int launches_of_batch(double us)
{
    const double wanted = batch_us / (us + 0.1);
    return wanted < BATCH_LEAST  ? BATCH_LEAST
           : wanted > BATCH_MOST ? BATCH_MOST
                                 : (int)wanted | 1;
}

/* Takes samples that are not recorded: they load code and tables, warm a hot
 * cell's data, and give the number of launches of a batch. With `brief`, a cold
 * cell takes none, as each of its samples begins with a flush. */
static const char *warm_up(struct job_run *run, struct sampling *s, bool brief)
{
    struct sample sample = { 0 };
    const bool hot = run->cell->cache != CACHE_COLD;
    *s = (struct sampling){ .warm = LEAVE_CACHE, .batch = 1 };
    if (!run->cell->timed) /* one launch, in any cache state */
        return NULL;
    s->warm = hot ? 1 : 0;
    const char *why = load(run);
    if (!why && !(brief && !hot))
        why = take(run, s, &sample);
    if (why || !hot)
        return why;
    s->batch = launches_of_batch(sample.us);
    s->warm = run->buffers.count < s->batch ? run->buffers.count : s->batch;
    why = take(run, s, &sample);
    s->us = sample.us;
    return why;
}

static bool record(struct job_run *run, struct sampling *s)
{
    struct job_result *report = run->report;
    struct sample sample = { 0 };
    if (!job_device_ok(run, take(run, s, &sample)))
        return false;
    report->batch = s->batch;
    report->us[report->count] = sample.us;
    report->exchange_us[report->count] = sample.exchange_us;
    report->host_us[report->count++] = sample.host_us;
    report->ungated += sample.ungated;
    report->waits += sample.waits;
    return true;
}

/* Small outputs are checked after each of a cell's first samples, which finds
 * one wrong launch in a hundred; of others, one is checked. */
enum { SMALL_BYTES = 64 << 10, SMALL_SAMPLES = 128 };

static bool checks_output(const struct job_run *run, const struct job *job)
{
    const int count = run->report->count;
    const bool small = cell_out_bytes(run->cell) <= SMALL_BYTES;
    return job->kind == JOB_SAMPLE && (count == job->check_at + 1 ||
                                       (small && job->verified.known &&
                                        job->taken + count <= SMALL_SAMPLES));
}

/* Compares the last output with the verified one: by its bits if the variant
 * declares that it is deterministic, otherwise by verifying it. */
static bool check_output(struct job_run *run, const struct job *job,
                         const struct sampling *s)
{
    uint64_t found;
    const int set = (s->next - 1) % run->buffers.count;
    const struct problem *problem = &run->buffers.problems[set];
    if (!job->verified.known)
        return job_judge(run, problem, job_timed_input, "a timed launch");
    if (!job_device_ok(run, buffers_settle(&run->buffers, problem)) ||
        !job_device_ok(run, run->device->fingerprint(
                                problem->out, run->buffers.out_bytes, &found)))
        return false;
    if (found == job->verified.hash)
        return true;
    job_fail(run, STATUS_WRONG,
             "a timed launch gave other bits than the verified one, of a "
             "variant that is declared deterministic");
    return false;
}

/* A canary is one element of an output, poisoned before a launch at a place
 * that the variant cannot foresee: an offset from the output's start. A launch
 * that skips its work leaves it there. */

/* OP_READ leaves a checksum, which has no elements. */
static bool canary_possible(const struct job_run *run)
{
    /* Poison may be a right result: a plugin's, an index in an empty line, an
     * integer combined but not widened (as the largest of negative ones), any
     * byte. */
    const enum op op = run->cell->op;
    const enum dtype out = op_out_dtype(op, run->cell->dtype);
    const bool widened =
        !op_combines(op) || op_out_dtype(op, DTYPE_U8) != DTYPE_U8;
    return op != OP_READ && op_reducer(op) < REDUCER_PLUGIN &&
           !(op_gives_index(op) && run->cell->shape.axis == 0) &&
           (dtype_is_float(out) || (dtype_bytes(out) > 1 && widened));
}

static size_t draw_canary(const struct cell *cell, uint64_t *seed)
{
    const uint64_t elems = (uint64_t)op_out_elems(cell->op, cell->shape);
    return split_mix_draw(seed) % elems *
           op_out_elem_bytes(cell->op, cell->dtype);
}

/* Returns the problem's last output; NULL if unknown: the job ends. */
static const void *last_output(struct job_run *run,
                               const struct problem *problem)
{
    if (!run->cell->variant->output)
        return problem->out;
    if (!last_launch.to)
        job_device_ok(run, "the variant did not name the place of its output");
    return last_launch.to;
}

static bool canary_gone(struct job_run *run, const struct problem *problem,
                        size_t canary, const char *launch)
{
    const size_t bytes = op_out_elem_bytes(problem->op, problem->dtype);
    uint64_t bits = 0, poison = 0;
    const char *out = last_output(run, problem);
    memset(&poison, POISON_BYTE, bytes);
    if (!out ||
        !job_device_ok(run, run->device->copy(&bits, out + canary, bytes)))
        return false;
    if (bits != poison)
        return true;
    run->report->status = STATUS_WRONG;
    snprintf(run->report->reason, REASON_BYTES,
             "%s did not write an element that it had to write", launch);
    return false;
}

static bool record_with_canary(struct job_run *run, struct sampling *s,
                               uint64_t *seed)
{
    const size_t canary = draw_canary(run->cell, seed);
    const struct problem *problem =
        &run->buffers.problems[s->next % run->buffers.count];
    const double start = clock_us();
    const char *out = last_output(run, problem);
    if (!out ||
        !job_device_ok(run, run->device->set((char *)out + canary, POISON_BYTE,
                                             op_out_elem_bytes(
                                                 problem->op, problem->dtype))))
        return false;
    const double before = clock_us();
    if (!record(run, s))
        return false;
    const double after = clock_us();
    if (!canary_gone(run, problem, canary, "a timed launch"))
        return false;
    run->check_us += clock_us() - after + before - start;
    return true;
}

/* Launches in close succession, on sets [first, first + sets) in turn. */
struct batch {
    int first, sets;
    int launches; /* most, unless there are more sets */
    double us;    /* time of a launch, as far as known */
};

/* Sets a canary during a batch of random length, with no other change between
 * its launches; a whole launch on that set follows. *late is true if earlier
 * launches had ended before it was set. */
static bool launch_batch(struct job_run *run, struct batch *batch,
                         uint64_t *seed, bool *late)
{
    const int sets = batch->sets, least = sets + 3;
    const int most = batch->launches > least ? batch->launches : least;
    const int count =
        least + (int)(split_mix_draw(seed) % (uint64_t)(most - least + 1));
    const bool elsewhere = run->cell->variant->output;
    struct problem problems[BATCH_MOST];
    for (int k = 0; k < count; ++k)
        problems[k] = run->buffers.problems[batch->first + k % sets];
    const struct problem *aim =
        &problems[split_mix_draw(seed) % (uint64_t)sets];
    const size_t canary = draw_canary(run->cell, seed);
    struct planting plant = {
        .place = elsewhere ? NULL : (char *)aim->out + canary,
        .offset = canary,
        .bytes = op_out_elem_bytes(run->cell->op, run->cell->dtype),
        .after =
            (double)(split_mix_draw(seed) % 1024) / 1024 * (count - sets - 1),
        .launch_us = batch->us,
        .behind = elsewhere ? 0 : sets,
    };
    struct sample sample = { .plant = &plant, .in_graph = is_graph(run) };
    if (!job_device_ok(run, run->device->sample(run->cell->variant, problems,
                                                count, LEAVE_CACHE, &sample)))
        return false;
    *late = plant.late;
    batch->us = sample.us;
    return canary_gone(run, aim, canary, "a launch close behind another");
}

/* Writes the guards of sets [first, end), whose outputs were not poisoned. */
static bool fence_sets(struct job_run *run, int first, int end)
{
    bool ok = true;
    for (int set = first; set < end && ok; ++set)
        ok = job_device_ok(
            run, buffers_fence(&run->buffers, &run->buffers.problems[set]));
    return ok;
}

void job_take_samples(struct job_run *run, const struct job *job)
{
    struct sampling s;
    struct job_result *report = run->report;
    const int most = job->most < JOB_SAMPLES ? job->most : JOB_SAMPLES;
    uint64_t seed = job->seed;
    if ((job->kind == JOB_SAMPLE && !job->verified.known &&
         !fence_sets(run, 0, run->buffers.count)) ||
        !job_device_ok(run, warm_up(run, &s, false)) ||
        !job_device_ok(run, run->device->sense(NULL, NULL)))
        return;
    const double start = clock_us();
    /* Canaries are for samples of one launch without a launch before it. */
    const int canary_at = job->kind == JOB_SAMPLE &&
                                  run->cell->cache == CACHE_COLD &&
                                  canary_possible(run)
                              ? job->canary_at
                              : -1;
    while (report->count < most &&
           (report->count < job->least || report->spent_us < job->budget_us)) {
        if (!(report->count == canary_at ? record_with_canary(run, &s, &seed)
                                         : record(run, &s)))
            return;
        const double end = clock_us();
        report->spent_us = end - start - run->check_us;
        if (checks_output(run, job)) {
            if (!check_output(run, job, &s))
                return;
            run->check_us += clock_us() - end;
        }
    }
    report->checked_us = run->check_us;
    job_device_ok(
        run, run->device->sense(&report->sensors, &report->sm_counted_mhz));
}

/* Must all show hidden work, as other programs disturb the host's clock. */
enum { FINISH_SAMPLES = 10 };

/* Takes samples of one launch each on one set. */
static bool record_set(struct job_run *run, struct sampling *s, int set)
{
    struct job_result *report = run->report;
    const int before = report->count;
    do {
        s->next = set;
        if (!record(run, s))
            return false;
    } while (report->count - before < FINISH_SAMPLES &&
             (report->waits == report->count ||
              job_hides_work(report->us[report->count - 1],
                             report->host_us[report->count - 1], s->batch,
                             JOB_SLACK_OF_SAMPLE_US)));
    return true;
}

/* Launches once on each of `count` sets from `first` on, in close succession:
 * of several launches per set only the last could be verified. */
static bool take_sets(struct job_run *run, int first, int count)
{
    struct sample sample = { 0 };
    struct sampling s = { .warm = LEAVE_CACHE, .batch = count, .next = first };
    return job_device_ok(run, take(run, &s, &sample));
}

/* Sets a canary in a batch of a hot cell, or of a small untimed one. */
static void finish_batch(struct job_run *run, const struct sampling *s,
                         int first, int sets, uint64_t *seed)
{
    enum { MOST_ELEMS = 1 << 20, TRIES = 3 };
    const struct job_result *report = run->report;
    const bool timed = run->cell->timed;
    const double us = timed               ? s->us
                      : report->count > 0 ? report->us[report->count - 1]
                                          : 0;
    struct batch batch = { first, sets, launches_of_batch(us), us };
    bool late = true;
    if (run->cell->ranks || !canary_possible(run) ||
        (timed ? run->cell->cache == CACHE_COLD
               : shape_elems(run->cell->shape) > MOST_ELEMS))
        return;
    for (int k = 0; k < TRIES && late; ++k)
        if (!launch_batch(run, &batch, seed, &late))
            return;
}

void job_finish(struct job_run *run, const struct job *job)
{
    struct sampling s;
    const bool timed = run->cell->timed;
    const bool hot = timed && run->cell->cache != CACHE_COLD;
    const bool elsewhere = hot && run->cell->variant->output;
    const int count = run->buffers.count;
    uint64_t seed = job->input.version;
    /* An untimed cell is launched on one set: the first, or a random one. */
    const int first =
        timed || seed & 2 ? 0 : (int)((seed >> 2) % (uint64_t)count);
    const int end = timed ? count : first + 1;
    if (!job_device_ok(run, warm_up(run, &s, true)) ||
        !job_device_ok(run,
                       buffers_fill(&run->buffers, job->input, first, end)) ||
        !fence_sets(run, first, end))
        return;
    /* The next launch may overwrite an output of the variant's own. */
    if (hot && !elsewhere && !take_sets(run, 0, count))
        return;
    for (int set = first; set < end; ++set)
        if ((elsewhere && !take_sets(run, set, 1)) ||
            (!hot && !record_set(run, &s, set)) ||
            !job_judge(run, &run->buffers.problems[set],
                       buffers_input(job->input, set),
                       timed ? "after timing" : "second launch"))
            return;
    finish_batch(run, &s, first, end - first, &seed);
}

bool job_hides_work(double us, double host_us, int batch, double slack_us)
{
    return (host_us - 1.05 * us) * batch > slack_us;
}
