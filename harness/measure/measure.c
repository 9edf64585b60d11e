/* SPDX-License-Identifier: MIT */
#include "harness/measure/measure.h"

#include "harness/device/nvml.h"
#include "src/base/clock.h"
#include "src/model/split_mix.h"
#include "src/runs/samples.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

/* A turn is a part of a cell's budget, and enough samples to say something: two
 * turns are the least, and worth what verifying the cell takes. Of launches so
 * long that a few of them are the budget, no more are taken than needed. */
enum {
    TURNS = 4,
    TURN_SAMPLES = 7,
    LEAST_TURN_SAMPLES = STATS_LEAST_SAMPLES / 2,
    MAX_SAMPLES = SAMPLES_MOST,
    FIRST_BATCHES = 2
};

/* The interval that is narrow enough, either way. */
static const double settled_at = 0.005;

/* Throttled turns are thrown away, but not for ever. */
enum { MAX_RETAKES = 3 };

/* Nearer to an empty kernel's time than this, launching is what was timed. */
static const double near_empty = 4;

/* A cell on its way. */
struct track {
    const struct cell *cell;
    struct outcome *outcome;
    bool begun;   /* starts() */
    bool open;    /* more samples wanted */
    bool told;    /* done() */
    bool ungated; /* in any sample */
    int count, retakes, discarded;
    double us[MAX_SAMPLES], host_us[MAX_SAMPLES], exchange_us[MAX_SAMPLES];
    double spent_us, counted_mhz_sum;
    int batch;      /* launches in a sample */
    bool throttled; /* in samples that were kept */
    struct sensors sensors;
    int turns;
    double look_us; /* these as in struct job */
    bool has_fingerprint;
    uint64_t fingerprint;
};

struct group {
    struct measure *m;
    struct track *tracks;
    size_t count;
};

static bool alive(const struct track *t)
{
    return t->outcome->row.status == STATUS_OK;
}

static bool tell(struct group *g, struct track *t)
{
    if (t->told)
        return true;
    t->told = true;
    const bool ok =
        !g->m->done || g->m->done(g->m->context, t->cell, t->outcome);
    t->outcome->samples = NULL;
    return ok;
}

/* One step of a cell; what it is not to survive ends up in its outcome. */
static bool step(struct group *g, struct track *t, struct job *job,
                 struct job_result *report)
{
    struct outcome *outcome = t->outcome;
    job->cell = *t->cell;
    if (!worker_do(g->m->worker, job, g->m->timeout_s, report))
        return false;
    if (!isnan(report->bound)) {
        outcome->row.err_bound = report->bound;
        if (!(report->max_error <= outcome->row.max_err))
            outcome->row.max_err = report->max_error;
    }
    if (report->status == STATUS_OK)
        return true;
    /* If it was the device that failed, this cell has not had its chance: no
     * row, so that who resumes the run measures it. */
    if (!worker_revive(g->m->worker))
        return false;
    outcome->row.status = report->status;
    memcpy(outcome->reason, report->reason, sizeof outcome->reason);
    return true;
}

/* The same variant in the other cache state has been verified already. */
static const struct track *verified_twin(const struct group *g,
                                         const struct track *t)
{
    for (const struct track *other = g->tracks; other < t; ++other)
        if (other->cell->variant == t->cell->variant)
            return other;
    return NULL;
}

static void set_slow(struct outcome *outcome, bool exact)
{
    outcome->row.status = STATUS_SLOW;
    snprintf(outcome->reason, REASON_BYTES, "one launch%s took %.3g s",
             exact ? " on exact input" : "", outcome->row.launch_us * 1e-6);
}

/* A cell's first launch waits for whatever is done once: it is slow only if it
 * was so beyond doubt. If not, the shorter of it and of the one on the other
 * input decides, as something else may have held up either. Of a variant that
 * compiles, the other one decides. */
static void judge_pace(struct group *g, struct track *t, enum input_kind kind,
                       const struct job_result *report)
{
    static const double beyond_doubt_us = 200e3;
    const bool exact = kind == INPUT_EXACT || kind == INPUT_BITS;
    const bool first = exact || report->loaded_code;
    const double most_us = first && t->cell->variant->compiles ? INFINITY
                           : first ? fmax(g->m->slow_us, beyond_doubt_us)
                                   : g->m->slow_us;
    double *launch_us = &t->outcome->row.launch_us;
    *launch_us =
        exact ? report->launch_us : fmin(*launch_us, report->launch_us);
    if (t->cell->timed && alive(t) && *launch_us > most_us)
        set_slow(t->outcome, exact);
}

/* A launch that loaded its code has perhaps had the driver compile it, which
 * takes seconds where a build has no code for the GPU but PTX: if it was long,
 * the next one says how long the kernel takes. */
static bool launched_again(struct group *g, struct track *t, struct job *job,
                           struct job_result *report)
{
    if (!alive(t) || !t->cell->timed || !report->loaded_code ||
        report->launch_us <= g->m->slow_us)
        return true;
    return step(g, t, job, report);
}

static bool verify(struct group *g, struct track *t, enum input_kind kind)
{
    struct job_result report;
    struct job job = { .kind = JOB_VERIFY, .input = { kind, 0 } };
    const struct track *twin = verified_twin(g, t);
    if (twin) {
        *t->outcome = *twin->outcome;
        t->outcome->row.cache = t->cell->cache;
        t->look_us = twin->look_us;
        t->has_fingerprint = twin->has_fingerprint;
        t->fingerprint = twin->fingerprint;
        return true;
    }
    if (!step(g, t, &job, &report) || !launched_again(g, t, &job, &report))
        return false;
    t->look_us = report.look_us;
    t->has_fingerprint = report.has_fingerprint;
    t->fingerprint = report.fingerprint;
    judge_pace(g, t, kind, &report);
    return true;
}

/* The special input is for small problems: it costs hardly anything then, and
 * in large ones finds nothing else. */
enum { SPECIAL_MOST_ELEMS = 1 << 20 };

static bool asks(const struct cell *cell, enum input_kind kind)
{
    switch (kind) {
    case INPUT_EXACT:
        return op_adds(cell->op);
    case INPUT_SPECIAL:
        return op_adds(cell->op) &&
               shape_elems(cell->shape) <= SPECIAL_MOST_ELEMS;
    case INPUT_BITS:
        return !op_adds(cell->op);
    default:
        return true;
    }
}

static bool verify_all(struct group *g)
{
    const double start = clock_s();
    /* The one that is timed comes last. */
    static const enum input_kind kinds[INPUT_KINDS] = { INPUT_EXACT, INPUT_BITS,
                                                        INPUT_SPECIAL,
                                                        INPUT_REAL };
    bool ok = true;
    for (int k = 0; k < INPUT_KINDS; ++k)
        for (size_t c = 0; c < g->count && ok; ++c) {
            struct track *t = &g->tracks[c];
            if (!asks(t->cell, kinds[k]))
                continue;
            if (!t->begun && g->m->starts)
                g->m->starts(g->m->context, t->cell);
            t->begun = true;
            ok = !alive(t) || verify(g, t, kinds[k]);
            if (ok && !alive(t))
                ok = tell(g, t);
        }
    g->m->costs.verify_s += clock_s() - start;
    return ok;
}

static void keep(struct group *g, struct track *t,
                 const struct job_result *report)
{
    for (int k = 0; k < report->count && t->count < MAX_SAMPLES; ++k) {
        t->us[t->count] = report->us[k];
        t->exchange_us[t->count] = report->exchange_us[k];
        t->host_us[t->count++] = report->host_us[k];
        g->m->costs.timed_s += report->us[k] * report->batch * 1e-6;
        t->batch = report->batch;
    }
    t->ungated |= report->ungated > 0;
}

/* Whether more samples would tell more, and are paid for. */
static bool wants_more(const struct group *g, const struct track *t)
{
    double sorted[MAX_SAMPLES];
    if (t->count < STATS_LEAST_SAMPLES)
        return true;
    if (t->count >= MAX_SAMPLES || t->spent_us >= g->m->budget_us)
        return false;
    memcpy(sorted, t->us, (size_t)t->count * sizeof *sorted);
    stats_of(sorted, (size_t)t->count); /* sorts */
    return !stats_settled(sorted, (size_t)t->count, settled_at);
}

/* At one whole output in the first turn, as that takes half a launch and more;
 * at a spot in every turn. */
static void set_looks(struct group *g, const struct track *t, struct job *job)
{
    const bool first = t->turns == 0;
    job->seed = split_mix_draw(&g->m->secret);
    job->taken = t->count;
    job->look_us = t->look_us;
    job->has_fingerprint = t->has_fingerprint;
    job->fingerprint = t->fingerprint;
    job->batches = first ? FIRST_BATCHES : 0;
    job->spot_at = (int)(split_mix_draw(&g->m->secret) % LEAST_TURN_SAMPLES);
    job->look_at =
        first ? (int)(split_mix_draw(&g->m->secret) % LEAST_TURN_SAMPLES) : -1;
}

/* One turn of one cell. */
static bool take_turn(struct group *g, struct track *t)
{
    struct job_result report;
    const double turn_us = g->m->budget_us / TURNS;
    const bool brief = t->outcome->row.launch_us * TURN_SAMPLES <= turn_us;
    struct job job = { .kind = JOB_SAMPLE,
                       .least = brief ? TURN_SAMPLES : LEAST_TURN_SAMPLES,
                       .most = JOB_SAMPLES,
                       .budget_us = turn_us };
    set_looks(g, t, &job);
    if (!step(g, t, &job, &report))
        return false;
    t->spent_us += report.spent_us;
    g->m->costs.look_s += report.looked_us * 1e-6;
    if (!alive(t))
        return tell(g, t);
    t->outcome->throttle |= report.sensors.throttle;
    const bool throttled = nvml_throttled(report.sensors.throttle);
    if (throttled && t->retakes < MAX_RETAKES) {
        ++t->retakes;
        t->discarded += report.count;
        nanosleep(&(struct timespec){ .tv_nsec = 200 * 1000 * 1000 }, NULL);
        return true;
    }
    t->throttled |= throttled;
    t->sensors = report.sensors;
    keep(g, t, &report);
    t->counted_mhz_sum += report.sm_counted_mhz;
    ++t->turns;
    t->open = wants_more(g, t);
    return true;
}

/* Round after round until every cell has had enough. */
static bool sample_all(struct group *g, size_t *order)
{
    const double start = clock_s();
    bool ok = true, open = true;
    while (ok && open) {
        open = false;
        split_mix_shuffle(order, g->count, &g->m->seed);
        for (size_t k = 0; k < g->count && ok; ++k) {
            struct track *t = &g->tracks[order[k]];
            if (!t->open || !alive(t))
                continue;
            ok = take_turn(g, t);
            open |= t->open && alive(t);
        }
    }
    g->m->costs.sample_s += clock_s() - start;
    return ok;
}

/* What the samples come to, and what is odd about them. */
static void conclude(const struct group *g, struct track *t)
{
    struct outcome *outcome = t->outcome;
    struct row *row = &outcome->row;
    const size_t count = (size_t)t->count;
    double sorted[MAX_SAMPLES];
    memcpy(sorted, t->us, count * sizeof *sorted);
    row->us = stats_of(sorted, count);
    row->gbps = (double)op_bytes(row->op, row->dtype, row->shape) /
                (row->us.median * 1e3);
    outcome->samples = t->us;
    if (!isnan(t->host_us[0])) /* all are, where that clock means nothing */
        row->host_us = stats_of(t->host_us, count).median;
    if (!isnan(t->exchange_us[0]))
        row->exchange_us = stats_of(t->exchange_us, count).median;
    row->discarded = t->discarded;
    row->sm_mhz = t->sensors.sm_mhz;
    row->sm_counted_mhz = t->counted_mhz_sum / t->turns;
    row->mem_mhz = t->sensors.mem_mhz;
    row->temp_c = t->sensors.temp_c;
    row->power_w = t->sensors.power_w;
    if (row->us.median < near_empty * g->m->empty_us[t->cell->cache])
        row->marks |= MARK_NEAR_EMPTY;
    if (t->ungated)
        row->marks |= MARK_UNGATED;
    if (t->throttled) {
        row->status = STATUS_UNSTABLE;
        snprintf(outcome->reason, REASON_BYTES,
                 "some samples were taken while throttled: see the column "
                 "throttle");
    }
    if (job_hides_work(row->us.median, row->host_us, t->batch,
                       JOB_SLACK_OF_MEDIAN_US)) {
        row->status = STATUS_SUSPECT;
        snprintf(outcome->reason, REASON_BYTES,
                 "the host's clock says %.0f us: work that the events did not "
                 "see",
                 row->host_us);
    }
}

/* Untimed cells are judged by the clocks too. */
static void judge_clocks(struct track *t, const struct job_result *report)
{
    const int last = report->count - 1;
    if (last < 0 || !alive(t))
        return;
    if (report->waits == report->count && !t->cell->variant->host_waits) {
        t->outcome->row.status = STATUS_WRONG;
        snprintf(t->outcome->reason, REASON_BYTES,
                 "its launch waits for the device");
        return;
    }
    if (!job_hides_work(report->us[last], report->host_us[last], report->batch,
                        JOB_SLACK_OF_SAMPLE_US))
        return;
    t->outcome->row.status = STATUS_WRONG;
    snprintf(t->outcome->reason, REASON_BYTES,
             "the events say %.0f us, the host's clock %.0f: work that they "
             "do not see",
             report->us[last], report->host_us[last]);
}

/* Three of four are rare: a variant that remembers gains more than one that
 * leaves a small part out, which rare ones may miss. */
static uint64_t draw_edition(uint64_t *secret)
{
    const uint64_t first = split_mix_draw(secret) | 1;
    const uint64_t second = split_mix_draw(secret) | 1;
    return input_is_rare(first) ? first : second;
}

static bool finish(struct group *g, struct track *t)
{
    struct job_result report;
    struct job job = { .kind = JOB_FINISH,
                       .input = { INPUT_REAL, draw_edition(&g->m->secret) } };
    if (!step(g, t, &job, &report))
        return false;
    if (!t->cell->timed)
        judge_clocks(t, &report);
    else if (alive(t)) {
        keep(g, t, &report);
        conclude(g, t);
    }
    return tell(g, t);
}

static bool finish_all(struct group *g)
{
    const double start = clock_s();
    bool ok = true;
    for (size_t c = 0; c < g->count && ok; ++c)
        ok = !alive(&g->tracks[c]) || finish(g, &g->tracks[c]);
    g->m->costs.edition_s += clock_s() - start;
    g->m->costs.verify_s += clock_s() - start;
    return ok;
}

static void count_repeats(struct measure *m, int times)
{
    m->least = m->repeated && m->least < times ? m->least : times;
    m->cut_short += times < m->repeats;
    ++m->repeated;
}

/* What says that it is deterministic has to show it; all others have to give
 * the same on exact input, where the order of additions makes no difference. */
static bool repeat_all(struct group *g)
{
    const double start = clock_s();
    bool ok = true;
    for (size_t c = 0; c < g->count && ok; ++c) {
        struct job_result report;
        struct track *t = &g->tracks[c];
        struct job job = { .kind = JOB_REPEAT, .repeats = g->m->repeats };
        if (!alive(t) || !g->m->repeats)
            continue;
        job.input.kind =
            t->cell->variant->deterministic ? INPUT_REAL : INPUT_EXACT;
        ok = step(g, t, &job, &report) && (alive(t) || tell(g, t));
        if (ok && alive(t))
            count_repeats(g->m, report.repeats);
    }
    g->m->costs.verify_s += clock_s() - start;
    return ok;
}

static bool contain_all(struct group *g)
{
    const double start = clock_s();
    bool ok = true;
    for (size_t c = 0; c < g->count && ok && g->m->nonfinite; ++c) {
        struct job_result report;
        struct track *t = &g->tracks[c];
        struct job job = { .kind = JOB_NONFINITE, .input = { INPUT_EXACT, 0 } };
        ok = !alive(t) ||
             (step(g, t, &job, &report) && (alive(t) || tell(g, t)));
    }
    g->m->costs.verify_s += clock_s() - start;
    return ok;
}

uint64_t measure_secret(void)
{
    const char *given = getenv("SCANBENCH_SECRET");
    uint64_t random = (uint64_t)(clock_us() * 1e3);
    if (given && *given)
        return strtoull(given, NULL, 10);
    (void)!getrandom(&random, sizeof random, GRND_NONBLOCK);
    return random; /* the clock if the kernel has no random numbers yet */
}

bool measure_group(struct measure *measure, const struct cell *cells,
                   size_t count, struct outcome *outcomes)
{
    struct group g = { .m = measure,
                       .tracks = calloc(count, sizeof *g.tracks),
                       .count = count };
    size_t *order = calloc(count, sizeof *order);
    bool ok = g.tracks && order;
    if (!ok)
        fprintf(stderr, "scanbench: no memory to measure %zu cells\n", count);
    for (size_t c = 0; ok && c < count; ++c) {
        outcomes[c] = outcome_of(&cells[c], STATUS_OK);
        g.tracks[c].cell = &cells[c];
        g.tracks[c].outcome = &outcomes[c];
        g.tracks[c].open = cells[c].timed;
    }
    ok = ok && verify_all(&g) && sample_all(&g, order) && repeat_all(&g) &&
         contain_all(&g) && finish_all(&g);
    free(order);
    free(g.tracks);
    return ok;
}

/* How often what a lost worker took along is tried. */
enum { TRIES = 3 };

bool measure_probes(struct measure *measure, const struct cell *cells,
                    size_t count, struct outcome *outcomes)
{
    bool ok = true, lost = true;
    for (int k = 0; k < TRIES && lost && ok; ++k) {
        ok = measure_group(measure, cells, count, outcomes);
        lost = false;
        for (size_t c = 0; c < count && ok; ++c)
            lost |= outcomes[c].row.status == STATUS_ERROR;
    }
    return ok;
}

/* A job that no variant has a part in. A worker that was killed meanwhile says
 * nothing of the device; nor does a time limit that is meant for a cell, on a
 * busy host. */
static bool do_own(struct measure *measure, struct job *job, const char *what,
                   struct job_result *report)
{
    enum { LEAST_TIMEOUT_S = 20 };
    const double timeout_s = fmax(measure->timeout_s, LEAST_TIMEOUT_S);
    for (int k = 0; k < TRIES; ++k) {
        if (!worker_do(measure->worker, job, timeout_s, report))
            return false;
        if (report->status == STATUS_OK)
            return true;
    }
    fprintf(stderr, "scanbench: %s cannot be timed: %s\n", what,
            report->reason);
    return false;
}

bool measure_empty(struct measure *measure)
{
    for (int cache = 0; cache < CACHE_COUNT; ++cache) {
        struct job_result report;
        struct job job = { .kind = JOB_EMPTY,
                           .cell = { .cache = (enum cache)cache },
                           .least = 20,
                           .most = 200,
                           .budget_us = 20e3 };
        if (!do_own(measure, &job, "an empty kernel", &report))
            return false;
        measure->empty_us[cache] =
            stats_of(report.us, (size_t)report.count).median;
    }
    return true;
}

bool measure_roof(struct measure *measure, enum dtype dtype, double *gflops)
{
    struct job_result report;
    struct job job = { .kind = JOB_ROOF, .cell = { .dtype = dtype } };
    if (!do_own(measure, &job, "adding", &report))
        return false;
    *gflops = report.gflops;
    return true;
}
