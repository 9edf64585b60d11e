/* SPDX-License-Identifier: MIT */
#include "harness/sweep.h"

#include "harness/ceilings.h"
#include "harness/measure.h"
#include "harness/nvml.h"
#include "harness/progress.h"
#include "harness/tally.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where variants turned out too slow to be timed. */
struct slow_cells {
    struct cell cell[1024];
    int count;
};

/* A run, and the launch of it that is under way. */
struct sweep {
    const struct plan *plan;
    const struct options *options;
    struct worker *worker;
    struct results results;
    struct measure measure;
    struct ceilings ceilings;
    struct progress progress;
    struct tally tally;
    struct slow_cells slow;
    int launch;
    double worst_drift_pct;
};

static double gbps_of(const struct cell *cell, const struct outcome *outcome)
{
    return (double)op_bytes(cell->op, cell->dtype, cell->shape) /
           (outcome->us.median * 1e3);
}

static bool was_timed(const struct outcome *outcome)
{
    return outcome->status <= STATUS_UNSTABLE && outcome->us.count > 0;
}

/* More than the memory bus can carry: part of it was in a cache. */
static void suspect_above_peak(const struct device_facts *facts,
                               const struct cell *cell, struct outcome *outcome)
{
    const double peak =
        2e-6 * facts->memory_clock_khz * facts->memory_bus_bits / 8;
    if (cell->cache != CACHE_COLD || peak <= 0 ||
        gbps_of(cell, outcome) <= peak)
        return;
    outcome->status = STATUS_SUSPECT;
    snprintf(outcome->reason, REASON_BYTES,
             "above the memory bus's %.0f GB/s: outputs may still lie in the "
             "L2 cache",
             peak);
}

/* Lines written last are still in the L2 when the clock stops. Where they may
 * be this much of all traffic, the figure is not the memory's. */
static const double dirty_share = 0.1;

static void suspect_dirty(const struct device_facts *facts,
                          const struct cell *cell, struct outcome *outcome)
{
    const double out = (double)op_out_bytes(cell->op, cell->dtype, cell->shape);
    const double l2 = (double)facts->l2_bytes;
    const double share = (out < l2 ? out : l2) /
                         (double)op_bytes(cell->op, cell->dtype, cell->shape);
    if (cell->cache != CACHE_COLD || facts->kind == DEVICE_HOST ||
        share <= dirty_share)
        return;
    outcome->status = STATUS_SUSPECT;
    snprintf(outcome->reason, REASON_BYTES,
             "up to %.0f %% of the traffic may still lie in the L2 cache",
             100 * share);
}

static void row_times(struct row *row, const struct outcome *outcome)
{
    row->samples = (int64_t)outcome->us.count;
    row->discarded = outcome->discarded;
    row->min_us = outcome->us.min;
    row->q1_us = outcome->us.q1;
    row->median_us = outcome->us.median;
    row->q3_us = outcome->us.q3;
    row->max_us = outcome->us.max;
    row->ci_low_us = outcome->us.ci_low;
    row->ci_high_us = outcome->us.ci_high;
    row->host_us = outcome->host_us;
    row->sm_mhz = outcome->sensors.sm_mhz;
    row->sm_counted_mhz = outcome->sm_counted_mhz;
    row->mem_mhz = outcome->sensors.mem_mhz;
    row->temp_c = outcome->sensors.temp_c;
    row->power_w = outcome->sensors.power_w;
    nvml_throttle_words(outcome->sensors.throttle, row->throttle,
                        sizeof row->throttle);
}

static struct row row_of(const struct sweep *sweep, const struct cell *cell,
                         const struct outcome *outcome)
{
    struct row row = row_unknown();
    row.op = cell->op;
    row.dtype = cell->dtype;
    row.outer = cell->shape.outer;
    row.axis = cell->shape.axis;
    row.inner = cell->shape.inner;
    row.cache = cell->cache;
    row.launch = sweep->launch;
    row.status = outcome->status;
    row.bytes = op_bytes(cell->op, cell->dtype, cell->shape);
    row.passes = variant_passes(cell->variant, cell->op);
    row.max_err = outcome->max_error;
    row.err_bound = outcome->bound;
    if (was_timed(outcome)) {
        const double ceiling_gbps = ceilings_gbps(&sweep->ceilings, cell);
        row_times(&row, outcome);
        row.gbps = gbps_of(cell, outcome);
        if (ceiling_gbps > 0) {
            row.ceiling_gbps = ceiling_gbps;
            row.pct_ceiling = 100 * row.gbps / ceiling_gbps;
        }
    }
    snprintf(row.device, sizeof row.device, "%s", sweep->results.device);
    snprintf(row.variant, sizeof row.variant, "%s", cell->variant->name);
    snprintf(row.reason, sizeof row.reason, "%s", outcome->reason);
    snprintf(row.marks, sizeof row.marks, "%s", outcome->marks);
    return row;
}

static bool write_cell(struct sweep *sweep, const struct cell *cell,
                       struct outcome *outcome)
{
    if (outcome->status == STATUS_OK && was_timed(outcome)) {
        suspect_dirty(&sweep->worker->facts, cell, outcome);
        suspect_above_peak(&sweep->worker->facts, cell, outcome);
    }
    struct row row = row_of(sweep, cell, outcome);
    return results_row(&sweep->results, &row);
}

static void count_cell(struct sweep *sweep, const struct cell *cell,
                       const struct outcome *outcome)
{
    tally_count(&sweep->tally, outcome->status);
    progress_problem(&sweep->progress, cell, outcome);
    if (outcome->slow && sweep->slow.count < 1024)
        sweep->slow.cell[sweep->slow.count++] = *cell;
}

static void on_start(void *context, const struct cell *cell)
{
    progress_cell(&((struct sweep *)context)->progress, cell);
}

static bool on_done(void *context, const struct cell *cell,
                    struct outcome *outcome)
{
    struct sweep *sweep = context;
    count_cell(sweep, cell, outcome);
    return write_cell(sweep, cell, outcome);
}

/* A probe's own row waits for its whole group, since its ceiling is the best
 * of them. */
static bool on_probe_done(void *context, const struct cell *cell,
                          struct outcome *outcome)
{
    struct sweep *sweep = context;
    count_cell(sweep, cell, outcome);
    if (was_timed(outcome))
        ceilings_raise(&sweep->ceilings, cell, gbps_of(cell, outcome));
    return true;
}

static bool on_repeat_done(void *context, const struct cell *cell,
                           struct outcome *outcome)
{
    if (was_timed(outcome))
        ceilings_raise(context, cell, gbps_of(cell, outcome));
    return true;
}

/* --------------------------------------------------- a run that goes on */

static const struct finished *finished_of(const struct sweep *sweep,
                                          const struct cell *cell, int launch)
{
    const struct finished_key key = { .op = cell->op,
                                      .variant = cell->variant->name,
                                      .dtype = cell->dtype,
                                      .shape = cell->shape,
                                      .cache = cell->cache,
                                      .launch = launch };
    return results_finished(&sweep->results, &key);
}

/* What the row that is there would have done, had it come just now. */
static void take_finished(struct sweep *sweep, const struct cell *cell,
                          const struct finished *finished, bool probe)
{
    on_start(sweep, cell);
    tally_count(&sweep->tally, finished->status);
    if (probe && finished->status <= STATUS_UNSTABLE && finished->gbps > 0)
        ceilings_raise(&sweep->ceilings, cell, finished->gbps);
    if (strstr(finished->reason, " but slow") && sweep->slow.count < 1024)
        sweep->slow.cell[sweep->slow.count++] = *cell;
}

/* A launch is over when the next one has begun. */
static bool is_over(const struct sweep *sweep)
{
    for (size_t k = 0; k < sweep->plan->count; ++k)
        if (finished_of(sweep, &sweep->plan->cells[k], sweep->launch + 1))
            return true;
    return false;
}

/* Moves the cells that have no row yet into `left`. */
static size_t take_group(struct sweep *sweep, const struct cell *cells,
                         size_t count, bool probes, struct cell *left)
{
    size_t missing = 0;
    for (size_t k = 0; k < count; ++k) {
        const struct finished *finished =
            finished_of(sweep, &cells[k], sweep->launch);
        if (finished)
            take_finished(sweep, &cells[k], finished, probes);
        else
            left[missing++] = cells[k];
    }
    return missing;
}

/* The ceilings first, then all else. */
static bool run_probes(struct sweep *sweep, struct cell *left,
                       struct outcome *outcomes)
{
    const struct plan *plan = sweep->plan;
    sweep->measure.done = on_probe_done;
    for (size_t first = 0; first < plan->probes;) {
        const struct cell *cells = plan->cells + first;
        const size_t count = measure_group_size(cells, plan->probes - first);
        struct cell *group = left + first; /* ceilings point into it */
        const size_t missing = take_group(sweep, cells, count, true, group);
        if (missing &&
            !measure_group(&sweep->measure, group, missing, outcomes))
            return false;
        for (size_t k = 0; k < missing; ++k)
            if (!write_cell(sweep, &group[k], &outcomes[k]))
                return false;
        first += count;
    }
    return ceilings_write(&sweep->ceilings, &sweep->results, sweep->launch,
                          "start");
}

/* A cell where the same variant was too slow for lines no longer, and a tensor
 * no larger; or NULL. */
static const struct cell *slower_than(const struct slow_cells *slow,
                                      const struct cell *cell)
{
    for (int k = 0; k < slow->count; ++k) {
        const struct cell *other = &slow->cell[k];
        if (other->variant == cell->variant && other->op == cell->op &&
            other->dtype == cell->dtype &&
            other->shape.inner == cell->shape.inner &&
            other->shape.axis <= cell->shape.axis &&
            shape_elems(other->shape) <= shape_elems(cell->shape))
            return other;
    }
    return NULL;
}

static bool skip_slower(struct sweep *sweep, const struct cell *other,
                        const struct cell *cell)
{
    char shape[SHAPE_TEXT_BYTES];
    struct outcome outcome = outcome_of(STATUS_SKIP);
    snprintf(outcome.reason, REASON_BYTES,
             "not tried: too slow already at %s (see --slow)",
             shape_format(other->shape, shape));
    on_start(sweep, cell);
    return on_done(sweep, cell, &outcome);
}

/* Measures a group but for what is known to be hopeless; `left` has room for
 * all of it. */
static bool run_group(struct sweep *sweep, const struct cell *cells,
                      size_t count, struct cell *left, struct outcome *outcomes)
{
    const size_t missing = take_group(sweep, cells, count, false, left);
    size_t tried = 0;
    for (size_t k = 0; k < missing; ++k) {
        const struct cell *slower = slower_than(&sweep->slow, &left[k]);
        if (!slower)
            left[tried++] = left[k];
        else if (!skip_slower(sweep, slower, &left[k]))
            return false;
    }
    return tried == 0 || measure_group(&sweep->measure, left, tried, outcomes);
}

static bool run_cells(struct sweep *sweep, struct cell *left,
                      struct outcome *outcomes)
{
    const struct plan *plan = sweep->plan;
    sweep->measure.done = on_done;
    for (size_t first = plan->probes; first < plan->count;) {
        const size_t count =
            measure_group_size(plan->cells + first, plan->count - first);
        if (!run_group(sweep, plan->cells + first, count, left + first,
                       outcomes))
            return false;
        first += count;
    }
    return true;
}

static bool write_roofs(struct sweep *sweep)
{
    static const enum dtype types[] = { DTYPE_F32, DTYPE_F64 };
    for (int k = 0; k < 2; ++k) {
        struct report report;
        struct job job = { .kind = JOB_ROOF, .cell = { .dtype = types[k] } };
        if (!worker_do(sweep->worker, &job, sweep->options->timeout_s, &report))
            return false;
        struct ceiling line = { .twin = -1,
                                .dtype = types[k],
                                .gflops = report.gflops,
                                .launch = sweep->launch,
                                .phase = "start" };
        if (line.gflops > 0 && !results_ceiling(&sweep->results, &line))
            return false;
    }
    return true;
}

/* The largest tensors' probes once more: how far they moved is the run's
 * drift. */
static bool repeat_ceilings(struct sweep *sweep, struct outcome *outcomes)
{
    const struct plan *plan = sweep->plan;
    static struct ceilings end;
    int largest = 0;
    memset(&end, 0, sizeof end);
    for (size_t k = 0; k < plan->probes; ++k)
        if (size_class(plan->cells[k].shape) > largest)
            largest = size_class(plan->cells[k].shape);
    struct measure measure = sweep->measure;
    measure.starts = NULL;
    measure.done = on_repeat_done;
    measure.context = &end;
    for (size_t first = 0; first < plan->probes;) {
        const struct cell *cells = plan->cells + first;
        const size_t count = measure_group_size(cells, plan->probes - first);
        if (size_class(cells[0].shape) == largest &&
            !measure_group(&measure, cells, count, outcomes))
            return false;
        first += count;
    }
    sweep->measure.costs = measure.costs;
    const double drift = ceilings_drift_pct(&sweep->ceilings, &end);
    if (fabs(drift) > fabs(sweep->worst_drift_pct))
        sweep->worst_drift_pct = drift;
    results_fact(&sweep->results, "ceiling_drift_pct", "%.2f",
                 sweep->worst_drift_pct);
    return ceilings_write(&end, &sweep->results, sweep->launch, "end");
}

static bool write_empty(struct sweep *sweep)
{
    if (!measure_empty(&sweep->measure))
        return false;
    results_fact(&sweep->results, "empty_us", "%.3f",
                 sweep->measure.empty_us[CACHE_COLD]);
    results_fact(&sweep->results, "empty_hot_us", "%.3f",
                 sweep->measure.empty_us[CACHE_HOT]);
    return true;
}

/* All of the plan in one fresh process (more, where variants kill it). */
static bool run_launch(struct sweep *sweep, struct cell *left,
                       struct outcome *outcomes)
{
    if (is_over(sweep)) {
        take_group(sweep, sweep->plan->cells, sweep->plan->count, false, left);
        return true;
    }
    memset(&sweep->ceilings, 0, sizeof sweep->ceilings);
    if (sweep->launch > 0)
        worker_stop(sweep->worker);
    return write_empty(sweep) && write_roofs(sweep) &&
           run_probes(sweep, left, outcomes) &&
           run_cells(sweep, left, outcomes) && repeat_ceilings(sweep, outcomes);
}

static bool run_launches(struct sweep *sweep)
{
    const size_t count = sweep->plan->count;
    struct cell *left = calloc(count, sizeof *left);
    struct outcome *outcomes = calloc(count, sizeof *outcomes);
    bool ok = left && outcomes;
    if (!ok)
        fprintf(stderr, "scanbench: no memory for %zu cells\n", count);
    for (; ok && sweep->launch < sweep->options->launches; ++sweep->launch)
        ok = run_launch(sweep, left, outcomes);
    free(outcomes);
    free(left);
    return ok;
}

static void write_costs(struct sweep *sweep)
{
    const struct costs *costs = &sweep->measure.costs;
    struct results *results = &sweep->results;
    results_fact(results, "wall_s", "%.1f", progress_seconds(&sweep->progress));
    results_fact(results, "verify_s", "%.1f", costs->verify_s);
    results_fact(results, "sample_s", "%.1f", costs->sample_s);
    results_fact(results, "timed_s", "%.1f", costs->timed_s);
}

static void report(const struct sweep *sweep)
{
    const struct tally *tally = &sweep->tally;
    fprintf(stderr,
            "scanbench: %d measured, %d skipped with a reason, %d wrong, %d "
            "failed; rows in %s\n",
            tally->ok, tally->skipped, tally->wrong, tally->failed,
            sweep->results.folder);
}

static void prepare(struct sweep *sweep)
{
    const struct options *options = sweep->options;
    sweep->measure = (struct measure){ .worker = sweep->worker,
                                       .timeout_s = options->timeout_s,
                                       .budget_us = options->budget_ms * 1e3,
                                       .slow_us = options->slow_ms * 1e3,
                                       .seed = options->seed,
                                       .starts = on_start,
                                       .context = sweep };
    results_fact(&sweep->results, "seed", "%llu",
                 (unsigned long long)options->seed);
    results_fact(&sweep->results, "launches", "%d", options->launches);
    progress_start(&sweep->progress,
                   sweep->plan->count * (size_t)options->launches,
                   options->quiet);
}

static enum resume begin(struct sweep *sweep, int argc, char **argv)
{
    const struct options *options = sweep->options;
    struct results *results = &sweep->results;
    const struct device_facts *facts = &sweep->worker->facts;
    if (!options->resume)
        return results_open(results, options->out, facts, argc, argv)
                   ? RESUME_READY
                   : RESUME_REFUSED;
    const enum resume begun =
        results_resume(results, options->resume, facts, argc, argv);
    if (begun == RESUME_READY)
        sweep->worst_drift_pct =
            atof(manifest_get(&results->manifest, "ceiling_drift_pct"));
    return begun;
}

int sweep_run(const struct plan *plan, const struct options *options,
              struct worker *worker, int argc, char **argv)
{
    static struct sweep sweep;
    sweep.plan = plan;
    sweep.options = options;
    sweep.worker = worker;
    const enum resume begun = begin(&sweep, argc, argv);
    if (begun != RESUME_READY)
        return begun == RESUME_COMPLETE ? EXIT_OK : EXIT_BAD;
    prepare(&sweep);
    const bool complete = run_launches(&sweep);
    progress_end(&sweep.progress);
    write_costs(&sweep);
    const bool closed = results_close(&sweep.results, complete);
    report(&sweep);
    puts(sweep.results.folder);
    if (worker_interrupted) {
        fprintf(stderr, "scanbench: interrupted\n");
        return EXIT_INTERRUPTED;
    }
    if (!complete || !closed)
        return EXIT_BAD;
    return sweep.tally.wrong || sweep.tally.failed ? EXIT_WRONG : EXIT_OK;
}
