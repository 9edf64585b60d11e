/* SPDX-License-Identifier: MIT
 *
 * A run: in each of its processes (--processes) a fresh child, all probes of
 * ceilings, then the user's cells, problem by problem. Cells that have rows
 * already (--resume), and hopeless ones (slow.c), are dropped before the others
 * are measured together (measure.h).
 */
#include "harness/sweep/sweep.h"

#include "src/base/exit.h"
#include "src/base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void on_start(void *context, const struct cell *cell)
{
    struct sweep *sweep = context;
    progress_cell(&sweep->progress, cell);
}

static bool on_done(void *context, const struct cell *cell,
                    struct outcome *outcome)
{
    struct sweep *sweep = context;
    sweep_take(sweep, cell, outcome);
    return sweep_keep_samples(sweep, outcome) &&
           sweep_write(sweep, cell, outcome);
}

/* Longest launch of a probe that is still timed. */
static double slowest_us(const struct options *options)
{
    return isnan(options->slow_ms) ? 50e3 : options->slow_ms * 1e3;
}

/* Longest launch of a cell that is still timed. On a GPU, samples of a variant
 * far below the ceiling would take more time than all others. */
static double slow_us(const struct sweep *sweep, const struct cell *cell)
{
    enum { CEILINGS = 50 };
    static const double least_us = 1e3;
    const double most_us = slowest_us(sweep->options);
    const double gbps = ceilings_gbps(&sweep->ceilings, cell);
    if (!isnan(sweep->options->slow_ms) || !(gbps > 0) ||
        sweep->worker->facts.kind != DEVICE_CUDA)
        return most_us;
    const int64_t bytes = op_bytes(cell->op, cell->dtype, cell->shape);
    const double us = CEILINGS * (double)bytes / gbps * 1e-3;
    return fmin(fmax(us, least_us), most_us);
}

/* Measures the first `missing` cells of `left` that are not hopeless. */
static bool run_group(struct sweep *sweep, const struct cell *cells,
                      size_t missing, struct cell *left,
                      struct outcome *outcomes)
{
    const double most_us = slow_us(sweep, cells);
    size_t tried = 0;
    for (size_t k = 0; k < missing; ++k) {
        const struct cell *slower = slow_find(&sweep->slow, &left[k], most_us,
                                              sweep->worker->facts.sm_count);
        if (!slower) {
            left[tried++] = left[k];
            continue;
        }
        char shape[SHAPE_TEXT_BYTES];
        struct outcome outcome = outcome_of(&left[k], STATUS_UNTRIED);
        snprintf(outcome.reason, REASON_BYTES, "too slow already at %s",
                 shape_format(slower->shape, shape));
        on_start(sweep, &left[k]);
        if (!on_done(sweep, &left[k], &outcome))
            return false;
    }
    sweep->measure.slow_us = most_us;
    const bool ok =
        tried == 0 || measure_group(&sweep->measure, left, tried, outcomes);
    sweep->measure.slow_us = slowest_us(sweep->options);
    return ok;
}

/* Measures the problems of this process. */
static bool run_cells(struct sweep *sweep, struct cell *left,
                      struct outcome *outcomes)
{
    const struct plan *plan = sweep->plan;
    size_t problems = 0, measured = 0, first = plan->probes;
    sweep->measure.done = on_done;
    for (; first < plan->count && problems < sweep->problems; ++problems) {
        const struct cell *cells = plan->cells + first;
        const size_t count = cells_of_problem(cells, plan->count - first);
        const size_t missing =
            sweep_take_group(sweep, cells, count, false, left + first);
        /* The first process may use its share of the time limit, but finishes
         * the current problem, or long ones would be left out. */
        if (missing == count && sweep->process == 0 && measured > 0 &&
            progress_seconds(&sweep->progress) * sweep->options->processes >=
                sweep->options->time_limit_s) /* false for NaN */
            break;
        if (!run_group(sweep, cells, missing, left + first, outcomes))
            return false;
        measured += missing > 0;
        first += count;
    }
    if (sweep->process > 0 || isnan(sweep->options->time_limit_s))
        return true;
    /* Limits the other processes to the same problems. */
    for (sweep->left_out = 0; first < plan->count; ++sweep->left_out)
        first += cells_of_problem(plan->cells + first, plan->count - first);
    sweep->problems = problems;
    results_fact(&sweep->results, "left_out", "%zu", sweep->left_out);
    return true;
}

/* Measures the plan in one fresh process, or in more if variants kill it. */
static bool run_process(struct sweep *sweep, struct cell *left,
                        struct outcome *outcomes)
{
    if (sweep_is_over(sweep, sweep->process)) {
        sweep_take_group(sweep, sweep->plan->cells, sweep->plan->count, false,
                         left);
        return true;
    }
    sweep->ceilings.count = 0;
    if (sweep->process > 0)
        worker_stop(sweep->worker);
    return sweep_empty(sweep) && sweep_roofs(sweep) &&
           sweep_probes(sweep, left, outcomes) &&
           run_cells(sweep, left, outcomes) && sweep_in_place(sweep) &&
           sweep_repeat_ceilings(sweep, outcomes);
}

static bool run_processes(struct sweep *sweep)
{
    const size_t count = sweep->plan->count;
    struct cell *left = memory_for(count, sizeof *left);
    struct outcome *outcomes = memory_for(count, sizeof *outcomes);
    bool ok = true;
    for (; ok && sweep->process < sweep->options->processes; ++sweep->process)
        ok = run_process(sweep, left, outcomes);
    free(outcomes);
    free(left);
    return ok;
}

static void write_costs(struct sweep *sweep)
{
    const struct costs *costs = &sweep->measure.costs;
    struct results *results = &sweep->results;
    const struct host_load now = host_load_now(sweep->worker->child.pid);
    results_fact(results, "host_busy_pct", "%.1f",
                 host_load_others_pct(&sweep->load, &now));
    results_fact(results, "wall_s", "%.1f", progress_seconds(&sweep->progress));
    results_fact(results, "verify_s", "%.1f", costs->verify_s);
    results_fact(results, "sample_s", "%.1f", costs->sample_s);
    results_fact(results, "timed_s", "%.1f", costs->timed_s);
    results_fact(results, "check_s", "%.2f", costs->check_s);
    results_fact(results, "changed_input_s", "%.1f", costs->changed_input_s);
}

/* The folder to name after --resume. */
static const char *resumed(const struct sweep *sweep)
{
    return sweep->options->joined ? sweep->options->joined
                                  : sweep->results.folder;
}

static void report(const struct sweep *sweep)
{
    const struct tally *tally = &sweep->progress.tally;
    fprintf(stderr,
            "scanbench: %d measured, %d skipped with a reason, %d wrong, %d "
            "failed; rows in %s\n",
            tally->ok, tally->skipped, tally->wrong, tally->failed,
            sweep->results.folder);
    if (sweep->left_out)
        fprintf(stderr,
                "scanbench: time limit: %zu of %zu problems measured, %zu left "
                "out; --resume %s goes on\n",
                sweep->problems, sweep->problems + sweep->left_out,
                sweep->left_out, resumed(sweep));
    if (tally->doubtful)
        fprintf(stderr,
                "scanbench: %d of the measured suspect or unstable: see the "
                "column reason\n",
                tally->doubtful);
}

static void prepare(struct sweep *sweep, uint64_t check_seed)
{
    const struct options *options = sweep->options;
    sweep->measure = (struct measure){ .worker = sweep->worker,
                                       .timeout_s = options->timeout_s,
                                       .budget_us = options->budget_ms * 1e3,
                                       .slow_us = slowest_us(options),
                                       .seed = options->seed,
                                       .check_seed = check_seed,
                                       .starts = on_start,
                                       .context = sweep };
    results_fact(&sweep->results, "seed", "%llu",
                 (unsigned long long)options->seed);
    results_fact(&sweep->results, "processes", "%d", options->processes);
    if (!options->resume) /* a resumed run keeps the value */
        results_fact(&sweep->results, "together", "%d", options->together);
    sweep->problems = SIZE_MAX;
    sweep->load = host_load_now(sweep->worker->child.pid);
    progress_start(&sweep->progress, sweep->plan, options, sweep->worker);
}

/* True if the run ended by itself and has all rows and ceilings. */
static bool is_complete(const struct sweep *sweep)
{
    const struct manifest *manifest = &sweep->results.manifest;
    int process = 0;
    if (strcmp(manifest_get(manifest, "complete"), "1") != 0 ||
        atoi(manifest_get(manifest, "left_out")) > 0)
        return false;
    while (process < sweep->options->processes && sweep_is_over(sweep, process))
        ++process;
    return process == sweep->options->processes;
}

/* Opens the run's folder. */
static bool begin(struct sweep *sweep, const char *arguments)
{
    const struct options *options = sweep->options;
    struct results *results = &sweep->results;
    struct manifest now;
    char plugins[PLUGINS_TEXT_BYTES];
    facts_fill(&now, &sweep->worker->facts, &sweep->worker->driver, arguments);
    manifest_set(&now, "plugins", "%s",
                 plugins_text(options->plugins, plugins));
    if (!options->resume)
        return results_open(results, options->out, &now);
    const bool begun = results_resume(results, options->resume, &now);
    manifest_free(&now);
    return begun;
}

int sweep_run(const struct plan *plan, const struct options *options,
              struct worker *worker, const char *arguments)
{
    static struct sweep sweep;
    sweep.plan = plan;
    sweep.options = options;
    sweep.worker = worker;
    if (!begin(&sweep, arguments))
        return EXIT_BAD;
    if (options->resume && is_complete(&sweep)) {
        fprintf(stderr, "scanbench: %s is complete: nothing is missing\n",
                sweep.results.folder);
        progress_start(&sweep.progress, plan, options, worker);
        run_processes(&sweep); /* counts the rows */
        results_drop(&sweep.results);
        return progress_status(&sweep.progress, "measured");
    }
    if (options->resume && !results_go_on(&sweep.results))
        return EXIT_BAD;
    sweep.worst_drift_pct =
        atof(manifest_get(&sweep.results.manifest, "ceiling_drift_pct"));
    stat(sweep.results.folder, &sweep.folder);
    const uint64_t check_seed = measure_check_seed();
    prepare(&sweep, check_seed);
    const bool complete = run_processes(&sweep);
    progress_end(&sweep.progress);
    if (!sweep_in_place(&sweep)) {
        results_drop(&sweep.results);
        return EXIT_BAD;
    }
    write_costs(&sweep);
    /* Not earlier, as a variant could read the run's folder. */
    results_fact(&sweep.results, "check_seed", "%llu",
                 (unsigned long long)check_seed);
    const bool closed = results_close(&sweep.results, complete);
    report(&sweep);
    snprintf(options->folder, options->folder_bytes, "%s",
             sweep.results.folder);
    if (worker_interrupted) {
        fprintf(stderr,
                options->command == COMMAND_TUNE
                    ? "scanbench: interrupted; its rows so far are in %s\n"
                    : "scanbench: interrupted; go on with it: --resume %s\n",
                resumed(&sweep));
        return EXIT_INTERRUPTED;
    }
    if (!complete || !closed)
        return EXIT_BAD;
    return progress_status(&sweep.progress, "measured");
}

int profile_run(const struct plan *plan, const struct options *options,
                struct worker *worker)
{
    char id[CELL_ID_BYTES];
    struct job_result report;
    struct job job = { .kind = JOB_PROFILE, .cell = plan->cells[0] };
    cell_id(&job.cell, id);
    if (!worker_do(worker, &job, options->timeout_s, &report))
        return EXIT_INTERRUPTED;
    if (report.status != STATUS_OK) {
        fprintf(stderr, "scanbench: %s: %s: %s\n", status_names[report.status],
                id, report.reason);
        return report.status == STATUS_SKIP ? EXIT_NOTHING : EXIT_WRONG;
    }
    fprintf(stderr, "scanbench: %s: one launch, not verified\n", id);
    return EXIT_OK;
}
