/* SPDX-License-Identifier: MIT */
#include "harness/measure/measure.h"

#include "harness/device/nvml.h"
#include "src/base/clock.h"
#include "src/base/memory.h"
#include "src/model/split_mix.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

/* Each round spends a part of a cell's budget, on at least ROUND_SAMPLES
 * samples, or LEAST_ROUND_SAMPLES if launches are long. */
enum {
    ROUNDS = 4,
    ROUND_SAMPLES = 7,
    LEAST_ROUND_SAMPLES = STATS_LEAST_SAMPLES / 2,
    MAX_SAMPLES = SAMPLES_MOST
};

/* Half the width of an interval that needs no more samples. */
static const double settled_at = 0.005;

/* Most repetitions of a throttled round, which is discarded. */
enum { MAX_RETAKES = 3 };

/* Below this multiple of an empty kernel's time, launching dominates. */
static const double near_empty = 4;

/* A cell between its first step and its outcome. */
struct track {
    const struct cell *cell;
    struct outcome *outcome;
    bool begun;    /* starts() */
    bool open;     /* more samples wanted */
    bool finished; /* done() was called */
    bool ungated;  /* in any sample */
    int count, retakes, discarded;
    double us[MAX_SAMPLES], host_us[MAX_SAMPLES], exchange_us[MAX_SAMPLES];
    double spent_us, counted_mhz_sum;
    int batch;      /* launches in a sample */
    bool throttled; /* in samples that were kept */
    struct sensors sensors;
    int rounds;
    struct fingerprint verified; /* as in struct job */
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

static bool finish_cell(struct group *g, struct track *t)
{
    if (t->finished)
        return true;
    t->finished = true;
    const bool ok =
        !g->m->done || g->m->done(g->m->context, t->cell, t->outcome);
    t->outcome->samples = NULL;
    return ok;
}

/* Does a cell's job; a failure is its outcome. False if all has to end. */
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
    if (report->calls_torch)
        outcome->row.marks |= MARK_CALLS_TORCH;
    if (report->status == STATUS_OK)
        return true;
    /* Without a device the cell gets no row: --resume measures it. */
    if (!worker_revive(g->m->worker))
        return false;
    outcome->row.status = report->status;
    memcpy(outcome->reason, report->reason, sizeof outcome->reason);
    return true;
}

/* A cell's first launch includes one-time work, so that only a very long one
 * counts as slow. Otherwise the shorter of it and the launch on real input
 * decides. For a variant that compiles, the first launch does not count. */
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
    if (!t->cell->timed || !alive(t) || *launch_us <= most_us)
        return;
    const double ms = *launch_us * 1e-3; /* --slow: the next power of ten */
    t->outcome->row.status = STATUS_SLOW;
    snprintf(
        t->outcome->reason, REASON_BYTES,
        "%.3g ms per launch: not sampled (limit %.3g ms; --slow %g samples it)",
        ms, most_us * 1e-3, pow(10, floor(log10(ms)) + 1));
}

static bool verify(struct group *g, struct track *t, enum input_kind kind)
{
    struct job_result report;
    struct job job = { .kind = JOB_VERIFY, .input = { kind, 0 } };
    const struct track *twin = g->tracks; /* in another cache state */
    while (twin < t && twin->cell->variant != t->cell->variant)
        ++twin;
    if (twin < t) {
        *t->outcome = *twin->outcome;
        t->outcome->row.cache = t->cell->cache;
        t->verified = twin->verified;
        return true;
    }
    if (!step(g, t, &job, &report))
        return false;
    /* It may have compiled PTX, which takes seconds. */
    if (alive(t) && t->cell->timed && report.loaded_code &&
        report.launch_us > g->m->slow_us && !step(g, t, &job, &report))
        return false;
    t->verified = report.verified;
    judge_pace(g, t, kind, &report);
    return true;
}

/* In larger problems the special input finds no more than in small ones. */
enum { SPECIAL_MOST_ELEMS = 1 << 20 };

static bool has_input(const struct cell *cell, enum input_kind kind)
{
    const bool ordinary = kind == INPUT_EXACT || kind == INPUT_REAL;
    return input_serves(kind, cell->op, cell->dtype) &&
           (ordinary || !cell->variant->ordinary_only) &&
           (kind != INPUT_SPECIAL ||
            shape_elems(cell->shape) <= SPECIAL_MOST_ELEMS);
}

static bool verify_all(struct group *g)
{
    const double start = clock_s();
    /* The timed input is the last. */
    static const enum input_kind kinds[INPUT_KINDS] = { INPUT_EXACT, INPUT_BITS,
                                                        INPUT_SPECIAL,
                                                        INPUT_REAL };
    bool ok = true;
    for (int k = 0; k < INPUT_KINDS; ++k)
        for (size_t c = 0; c < g->count && ok; ++c) {
            struct track *t = &g->tracks[c];
            if (!has_input(t->cell, kinds[k]))
                continue;
            if (!t->begun && g->m->starts)
                g->m->starts(g->m->context, t->cell);
            t->begun = true;
            ok = !alive(t) || verify(g, t, kinds[k]);
            if (ok && !alive(t))
                ok = finish_cell(g, t);
        }
    g->m->costs.verify_s += clock_s() - start;
    return ok;
}

static void add_samples(struct group *g, struct track *t,
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

/* More samples would narrow the interval, and the budget allows them. */
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

/* Samples one cell in one round. */
static bool take_part(struct group *g, struct track *t)
{
    struct job_result report;
    const double part_us = g->m->budget_us / ROUNDS;
    const bool brief = t->outcome->row.launch_us * ROUND_SAMPLES <= part_us;
    uint64_t *seed = &g->m->check_seed;
    struct job job = { .kind = JOB_SAMPLE,
                       .least = brief ? ROUND_SAMPLES : LEAST_ROUND_SAMPLES,
                       .most = JOB_SAMPLES,
                       .budget_us = part_us,
                       .seed = split_mix_draw(seed),
                       .taken = t->count,
                       .verified = t->verified,
                       .check_at = -1 };
    /* Every round has a canary, but only the first a whole output's check, as
     * that takes half a launch and more. */
    job.canary_at = (int)(split_mix_draw(seed) % LEAST_ROUND_SAMPLES);
    if (!t->rounds)
        job.check_at = (int)(split_mix_draw(seed) % LEAST_ROUND_SAMPLES);
    if (!step(g, t, &job, &report))
        return false;
    t->spent_us += report.spent_us;
    g->m->costs.check_s += report.checked_us * 1e-6;
    if (!alive(t))
        return finish_cell(g, t);
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
    add_samples(g, t, &report);
    t->counted_mhz_sum += report.sm_counted_mhz;
    ++t->rounds;
    t->open = wants_more(g, t);
    return true;
}

/* Goes round by round until no cell needs more samples. */
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
            ok = take_part(g, t);
            open |= t->open && alive(t);
        }
    }
    g->m->costs.sample_s += clock_s() - start;
    return ok;
}

/* Fills in the row from the samples, with marks and doubts. */
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
    row->sm_counted_mhz = t->counted_mhz_sum / t->rounds;
    row->mem_mhz = t->sensors.mem_mhz;
    row->temp_c = t->sensors.temp_c;
    row->power_w = t->sensors.power_w;
    if (row->us.median < near_empty * g->m->empty_us[t->cell->cache])
        row->marks |= MARK_NEAR_EMPTY;
    if (t->ungated)
        row->marks |= MARK_UNGATED;
    const struct variant *variant = t->cell->variant;
    row->marks |=
        MARK_CONTRACTS * (variant_declares(variant) &
                          variant_contracts(variant, row->op, row->dtype));
    if (t->throttled) {
        row->status = STATUS_UNSTABLE;
        snprintf(
            outcome->reason, REASON_BYTES,
            "some samples were taken while throttled: see the column throttle");
    }
    if (job_hides_work(row->us.median, row->host_us, t->batch,
                       JOB_SLACK_OF_MEDIAN_US)) {
        row->status = STATUS_SUSPECT;
        snprintf(outcome->reason, REASON_BYTES,
                 "the host's clock has %.0f us: work outside the events",
                 row->host_us);
    }
}

/* Judges an untimed cell by its clocks. */
static void judge_clocks(struct track *t, const struct job_result *report)
{
    const int last = report->count - 1;
    if (last < 0 || !alive(t))
        return;
    if (report->waits == report->count && !t->cell->variant->host_waits)
        snprintf(t->outcome->reason, REASON_BYTES,
                 "its launch waits for the device");
    else if (job_hides_work(report->us[last], report->host_us[last],
                            report->batch, JOB_SLACK_OF_SAMPLE_US))
        snprintf(t->outcome->reason, REASON_BYTES,
                 "the events have %.0f us, the host's clock %.0f: work outside "
                 "the events",
                 report->us[last], report->host_us[last]);
    else
        return;
    t->outcome->row.status = STATUS_WRONG;
}

/* Three of four versions change few pieces: a variant that remembers gains more
 * than one that leaves out a small part, which few changes may miss. */
static uint64_t draw_version(uint64_t *seed)
{
    const uint64_t first = split_mix_draw(seed) | 1;
    const uint64_t second = split_mix_draw(seed) | 1;
    return input_is_rare(first) ? first : second;
}

static bool finish(struct group *g, struct track *t)
{
    struct job_result report;
    struct job job = { .kind = JOB_FINISH,
                       .input = { INPUT_REAL,
                                  draw_version(&g->m->check_seed) } };
    if (!step(g, t, &job, &report))
        return false;
    if (!t->cell->timed)
        judge_clocks(t, &report);
    else if (alive(t)) {
        add_samples(g, t, &report);
        conclude(g, t);
    }
    return finish_cell(g, t);
}

/* Deterministic variants repeat the real input, all others the exact one, where
 * the order of additions makes no difference (job_has_same_bits()). */
static bool repeat(struct group *g, struct track *t)
{
    struct job_result report;
    struct measure *m = g->m;
    struct job job = { .kind = JOB_REPEAT, .repeats = m->repeats };
    if (!m->repeats)
        return true;
    job.input.kind =
        cell_promises(t->cell, SAME_BITS) ? INPUT_REAL : INPUT_EXACT;
    if (!step(g, t, &job, &report))
        return false;
    if (!alive(t))
        return finish_cell(g, t);
    if (!m->repeated++ || report.repeats < m->least)
        m->least = report.repeats;
    m->cut_short += report.repeats < m->repeats;
    return true;
}

/* Tests what no comparison with a definition tests. */
static bool contain(struct group *g, struct track *t)
{
    struct job_result report;
    struct job job = { .kind = JOB_NONFINITE, .input = { INPUT_EXACT, 0 } };
    return !g->m->nonfinite ||
           (step(g, t, &job, &report) && (alive(t) || finish_cell(g, t)));
}

/* Takes one step of verifying with every cell that is right so far, and adds
 * the time to *seconds, unless that is NULL. */
static bool each(struct group *g, bool (*take)(struct group *, struct track *),
                 double *seconds)
{
    const double start = clock_s();
    bool ok = true;
    for (size_t c = 0; c < g->count && ok; ++c)
        ok = !alive(&g->tracks[c]) || take(g, &g->tracks[c]);
    const double end = clock_s();
    if (seconds)
        *seconds += end - start;
    g->m->costs.verify_s += end - start;
    return ok;
}

uint64_t measure_check_seed(void)
{
    const char *given = getenv("SCANBENCH_CHECK_SEED");
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
                       .tracks = memory_for(count, sizeof *g.tracks),
                       .count = count };
    size_t *order = memory_for(count, sizeof *order);
    for (size_t c = 0; c < count; ++c) {
        outcomes[c] = outcome_of(&cells[c], STATUS_OK);
        g.tracks[c].cell = &cells[c];
        g.tracks[c].outcome = &outcomes[c];
        g.tracks[c].open = cells[c].timed;
    }
    const bool ok = verify_all(&g) && sample_all(&g, order) &&
                    each(&g, repeat, NULL) && each(&g, contain, NULL) &&
                    each(&g, finish, &measure->costs.changed_input_s);
    free(order);
    free(g.tracks);
    return ok;
}
