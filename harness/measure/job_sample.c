/* SPDX-License-Identifier: MIT */
#include "harness/measure/job_parts.h"
#include "harness/device/launched.h"
#include "harness/measure/spot.h"
#include "src/base/clock.h"
#include "src/model/split_mix.h"

#include <math.h>

const struct input job_timed_input = { INPUT_REAL, 0 };

/* A hot sample is a batch: enough launches to fill this time, for the event
 * clock's resolution and the first launch's start not to count. */
static const double batch_us = 400;
enum { BATCH_LEAST = 2, BATCH_MOST = 32 };

/* How samples are taken: `batch` launches each, the sets in turn. */
struct sampling {
    int warm; /* as the device's sample() has it */
    int batch, next;
    double us; /* a launch, hot, as far as is known */
    struct problem problems[BATCH_MOST];
};

static const char *take(struct job_run *run, struct sampling *s,
                        struct sample *sample)
{
    for (int k = 0; k < s->batch; ++k)
        s->problems[k] = run->buffers.problems[s->next++ % run->buffers.count];
    return run->device->sample(run->cell->variant, s->problems, s->batch,
                               s->warm, sample);
}

/* Loading waits for the device: behind the gate that would be a deadlock.
 * Usually verify() came before; in a worker that took over, it did not. */
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
                                 : (int)wanted;
}

/* One sample unrecorded: code, tables and (hot) data are where later ones find
 * them. It also says how many launches make a batch. `brief`: not for a cold
 * sample, before which the caches are flushed in any case. */
static const char *warm_up(struct job_run *run, struct sampling *s, bool brief)
{
    struct sample sample = { 0 };
    const bool hot = run->cell->cache == CACHE_HOT;
    *s = (struct sampling){ .warm = LEAVE_CACHE, .batch = 1 };
    if (!run->cell->timed) /* one launch, whatever the cache holds */
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

/* Looks, and spots, may take this share of the samples' time. */
static const double look_share = 0.005, spot_share = 0.005;

/* At so little looks are taken after every sample; but only after so many,
 * which is enough to see each hundredth launch. */
enum { ALWAYS_BYTES = 64 << 10, ALWAYS_SAMPLES = 128 };

static bool look_is_cheap(const struct job_run *run, const struct job *job)
{
    return job->has_fingerprint &&
           job->taken + run->report->count <= ALWAYS_SAMPLES &&
           cell_out_bytes(run->cell) <= ALWAYS_BYTES;
}

/* At what the last sample left. */
static bool looks(const struct job_run *run, const struct job *job)
{
    return run->report->count == job->look_at + 1 || look_is_cheap(run, job) ||
           run->look_us + job->look_us < look_share * run->report->spent_us;
}

/* Holds what the last launch left to the verified output: by its bits, where
 * they are to be the same, and otherwise by judging it. */
static bool look(struct job_run *run, const struct job *job,
                 const struct sampling *s)
{
    uint64_t found;
    const int set = (s->next - 1) % run->buffers.count;
    const struct problem *problem = &run->buffers.problems[set];
    const double start = clock_us();
    bool ok = true;
    if (!job->has_fingerprint)
        ok = job_judge(run, problem, job_timed_input, "a timed launch");
    else if (!job_device_ok(run,
                            buffers_settle(problem, run->cell, run->device)) ||
             !job_device_ok(run, job_fingerprint(run, problem, &found)))
        ok = false;
    else if (found != job->fingerprint) {
        job_fail(run, STATUS_WRONG,
                 "a timed launch gave other bits than the verified one, of a "
                 "variant that says it is deterministic");
        ok = false;
    }
    run->look_us += clock_us() - start;
    return ok;
}

/* Spots are for samples of one launch, that nothing is launched before: one a
 * turn, and more where they are cheap. */
static bool spots(const struct job_run *run, const struct job *job,
                  const struct sampling *s)
{
    return job->kind == JOB_SAMPLE && run->cell->cache == CACHE_COLD &&
           spot_possible(&run->buffers.problems[0]) && s->batch == 1 &&
           (run->report->count == job->spot_at ||
            run->spot_us + run->a_spot_us < spot_share * run->report->spent_us);
}

/* The last output of a variant that places it itself, or NULL. */
static const char *place_of_last(struct job_run *run)
{
    if (!launched_to())
        job_device_ok(run, "the variant does not know where its output is");
    return launched_to();
}

/* Aims at the same element in what the last launch left. */
static bool follow(struct job_run *run, const struct problem *problem,
                   struct spot *spot)
{
    const char *place =
        run->cell->variant->output ? place_of_last(run) : problem->out;
    spot->place = (char *)place + spot->offset;
    return place != NULL;
}

/* Poisons an element of an output before a launch. If the variant puts that
 * itself, it is the last launch's: what is there before may be poison already.
 */
static bool plant_spot(struct job_run *run, const struct problem *problem,
                       struct spot *spot, uint64_t draw)
{
    if (!run->cell->variant->output)
        return job_device_ok(run, spot_plant(spot, problem, run->device, draw));
    *spot = spot_aim(problem, draw);
    return follow(run, problem, spot) &&
           job_device_ok(
               run, run->device->set(spot->place, POISON_BYTE, spot->bytes));
}

/* The set's bits are known once it has been launched on in this turn. */
static bool judge_spot(struct job_run *run, const struct job *job, bool known,
                       enum spot_found found)
{
    if (found == SPOT_UNWRITTEN)
        job_fail(
            run, STATUS_WRONG,
            "a timed launch did not write an element that it had to write");
    else if (found == SPOT_OTHER && known && job->has_fingerprint)
        job_fail(
            run, STATUS_WRONG,
            "a timed launch gave other bits than the one before, of a variant "
            "that says it is deterministic");
    return run->report->status == STATUS_OK;
}

/* A sample with one element of its output poisoned before, and looked at behind
 * it. */
static bool record_spotted(struct job_run *run, const struct job *job,
                           struct sampling *s, uint64_t *seed)
{
    struct spot spot;
    enum spot_found found;
    const bool known =
        !run->cell->variant->output && s->next >= run->buffers.count;
    const struct problem *problem =
        &run->buffers.problems[s->next % run->buffers.count];
    const double start = clock_us();
    if (!plant_spot(run, problem, &spot, split_mix_draw(seed)))
        return false;
    run->a_spot_us = clock_us() - start;
    if (!record(run, s))
        return false;
    const double then = clock_us();
    if (!follow(run, problem, &spot) ||
        !job_device_ok(run, spot_find(&spot, run->device, &found)))
        return false;
    run->a_spot_us += clock_us() - then;
    run->spot_us += run->a_spot_us;
    return judge_spot(run, job, known, found);
}

/* What is timed hot, one launch close behind the other, shows only what the
 * last one left; and a variant that sees the clock could tell launches that are
 * looked at by the time that takes. So in the midst of a batch that does not
 * count, of any length, an element is poisoned, with nothing between the
 * launches but what is there always, and a whole launch follows on that set. */
struct batch {
    int first, sets; /* that it goes round */
    int launches;
    double us; /* a launch, as far as is known */
};

/* *late: it was poisoned when the launches before had ended. */
static bool run_batch(struct job_run *run, struct batch *batch, uint64_t *seed,
                      enum spot_found *found, bool *late)
{
    const int sets = batch->sets, least = sets + 3;
    const int most = batch->launches > least ? batch->launches : least;
    const int count =
        least + (int)(split_mix_draw(seed) % (uint64_t)(most - least + 1));
    struct problem problems[BATCH_MOST];
    for (int k = 0; k < count; ++k)
        problems[k] = run->buffers.problems[batch->first + k % sets];
    const struct problem *aim =
        &problems[split_mix_draw(seed) % (uint64_t)sets];
    struct spot spot = spot_aim(aim, split_mix_draw(seed));
    struct planting plant = {
        .place = run->cell->variant->output ? NULL : spot.place,
        .offset = spot.offset,
        .bytes = spot.bytes,
        .after =
            (double)(split_mix_draw(seed) % 1024) / 1024 * (count - sets - 1),
        .launch_us = batch->us,
        .behind = run->cell->variant->output ? 0 : sets,
    };
    struct sample sample = { .plant = &plant };
    if (!job_device_ok(run, run->device->sample(run->cell->variant, problems,
                                                count, LEAVE_CACHE, &sample)))
        return false;
    *late = plant.late;
    batch->us = sample.us;
    return follow(run, aim, &spot) &&
           job_device_ok(run, spot_find(&spot, run->device, found));
}

static bool spot_batch(struct job_run *run, struct batch *batch, uint64_t *seed)
{
    enum { TRIES = 3 };
    enum spot_found found = SPOT_OTHER;
    bool late = true;
    for (int k = 0; k < TRIES && late && found != SPOT_UNWRITTEN; ++k)
        if (!run_batch(run, batch, seed, &found, &late))
            return false;
    if (found == SPOT_UNWRITTEN)
        job_fail(
            run, STATUS_WRONG,
            "a launch close behind another did not write an element that it "
            "had to write");
    return run->report->status == STATUS_OK;
}

/* Whether launches of the cell can be spotted like that. */
static bool batch_possible(const struct job_run *run)
{
    return !run->cell->ranks && spot_possible(&run->buffers.problems[0]);
}

/* For whoever judges an output that was not poisoned: sets [first, end). */
static bool fence_sets(struct job_run *run, int first, int end)
{
    bool ok = true;
    for (int set = first; set < end && ok; ++set)
        ok = job_device_ok(run, buffers_fence(&run->buffers.problems[set],
                                              run->cell, run->device));
    return ok;
}

/* Of a hot cell; and all that they left is looked at. */
static bool look_at_batches(struct job_run *run, const struct job *job,
                            const struct sampling *s, uint64_t *seed)
{
    const double before_us = run->look_us, start = clock_us();
    struct sampling last = { .next = 0 };
    struct batch batch = { 0, run->buffers.count, s->batch, s->us };
    bool ok = true;
    if (run->cell->cache != CACHE_HOT || !batch_possible(run))
        return true;
    /* Only the last output is there, where the variant puts it itself. */
    const int outputs = run->cell->variant->output ? 1 : batch.sets;
    for (int k = 0; k < job->batches && ok; ++k) {
        ok = spot_batch(run, &batch, seed);
        for (int set = 0; set < outputs && ok && job->has_fingerprint; ++set)
            ok = (last.next = set + 1) && look(run, job, &last);
    }
    run->look_us = before_us + clock_us() - start;
    return ok;
}

void job_take_samples(struct job_run *run, const struct job *job)
{
    struct sampling s;
    struct job_result *report = run->report;
    const bool looking = job->kind == JOB_SAMPLE;
    const int most = job->most < JOB_SAMPLES ? job->most : JOB_SAMPLES;
    uint64_t seed = job->seed;
    if ((looking && !job->has_fingerprint && /* looks are at guards, too */
         !fence_sets(run, 0, run->buffers.count)) ||
        !job_device_ok(run, warm_up(run, &s, false)) ||
        (looking && !look_at_batches(run, job, &s, &seed)) ||
        !job_device_ok(run, run->device->sense(NULL, NULL)))
        return;
    const double first_look_us = run->look_us;
    run->look_us = run->spot_us = 0;
    const double start = clock_us();
    while (report->count < most &&
           (report->count < job->least || report->spent_us < job->budget_us)) {
        if (!(spots(run, job, &s) ? record_spotted(run, job, &s, &seed)
                                  : record(run, &s)))
            return;
        report->spent_us = clock_us() - start - run->look_us - run->spot_us;
        if (looking && looks(run, job) && !look(run, job, &s))
            return;
    }
    report->looked_us = first_look_us + run->look_us + run->spot_us;
    job_device_ok(
        run, run->device->sense(&report->sensors, &report->sm_counted_mhz));
}

/* The host's clock is at the mercy of other processes on the host and on the
 * GPU, so work counts as hidden only if all of these samples say so. */
enum { FINISH_SAMPLES = 10 };

/* Samples of one launch, on that set of buffers. */
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

/* Of a cell that is not timed, one set is taken, now the first and now another.
 */
static int set_of_untimed(const struct job_run *run, uint64_t turn)
{
    return turn & 2 ? 0 : (int)((turn >> 2) % (uint64_t)run->buffers.count);
}

/* One launch on each set, behind one another: in a hot sample there are several
 * on each, of which only the last could be judged. */
static bool take_sets(struct job_run *run, struct sampling *s)
{
    struct sample sample = { 0 };
    *s = (struct sampling){ .warm = LEAVE_CACHE, .batch = run->buffers.count };
    return job_device_ok(run, take(run, s, &sample));
}

/* One launch on one set, where the next would take its output's place. */
static bool take_set(struct job_run *run, int set)
{
    struct sample sample = { 0 };
    struct sampling s = { .warm = LEAVE_CACHE, .batch = 1, .next = set };
    return job_device_ok(run, take(run, &s, &sample));
}

/* What has no input cannot have another one: an element of what is there is
 * poisoned instead. */
static bool change_output(struct job_run *run, int set, uint64_t *seed)
{
    struct spot spot;
    const struct problem *problem = &run->buffers.problems[set];
    if (op_has_input(run->cell->op) || !spot_possible(problem))
        return true;
    return (!run->cell->variant->output || take_set(run, set)) &&
           plant_spot(run, problem, &spot, split_mix_draw(seed));
}

/* Untimed cells too; large ones would take too long. */
static void finish_batch(struct job_run *run, const struct job *job,
                         const struct sampling *s, int first, int sets)
{
    enum { MOST_ELEMS = 1 << 20 };
    const struct job_result *report = run->report;
    const bool timed = run->cell->timed;
    const double us = timed               ? s->us
                      : report->count > 0 ? report->us[report->count - 1]
                                          : 0;
    struct batch batch = { first, sets, launches_of_batch(us), us };
    uint64_t seed = job->input.edition;
    if (batch_possible(run) &&
        (timed ? run->cell->cache == CACHE_HOT
               : shape_elems(run->cell->shape) <= MOST_ELEMS))
        spot_batch(run, &batch, &seed);
}

void job_finish(struct job_run *run, const struct job *job)
{
    struct sampling s;
    const bool timed = run->cell->timed;
    const bool hot = timed && run->cell->cache == CACHE_HOT;
    const bool elsewhere = hot && run->cell->variant->output;
    const int count = run->buffers.count;
    const int first = timed ? 0 : set_of_untimed(run, job->input.edition);
    const int end = timed ? count : first + 1;
    uint64_t seed = job->input.edition;
    if (!job_device_ok(run, warm_up(run, &s, true)) ||
        !job_device_ok(run, buffers_fill(&run->buffers, run->cell, run->device,
                                         job->input, first, end)) ||
        !fence_sets(run, first, end))
        return;
    for (int set = first; set < end && !run->cell->variant->output; ++set)
        if (!change_output(run, set, &seed))
            return;
    if (hot && !elsewhere && !take_sets(run, &s))
        return;
    for (int set = first; set < end; ++set)
        if ((run->cell->variant->output && !change_output(run, set, &seed)) ||
            (elsewhere && !take_set(run, set)) ||
            (!hot && !record_set(run, &s, set)) ||
            !job_judge(run, &run->buffers.problems[set],
                       buffers_input(job->input, set),
                       timed ? "after timing" : "second launch"))
            return;
    finish_batch(run, job, &s, first, end - first);
}

bool job_hides_work(double us, double host_us, int batch, double slack_us)
{
    return (host_us - 1.05 * us) * batch > slack_us;
}
