/* SPDX-License-Identifier: MIT */
#include "harness/sweep.h"

#include "harness/progress.h"
#include "harness/results.h"
#include "harness/tally.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Every size class's best probe so far, GB/s; 0 where there is none. */
struct ceilings {
    double gbps[OP_COUNT][DTYPE_COUNT][SIZE_CLASSES];
    const struct cell *cell[OP_COUNT][DTYPE_COUNT][SIZE_CLASSES];
};

static double gbps_of(const struct cell *cell, const struct outcome *outcome)
{
    return (double)op_bytes(cell->op, cell->dtype, cell->shape) /
           (outcome->us.median * 1e3);
}

/* More than the memory bus can carry: part of it was in a cache. */
static void suspect_above_peak(const struct device_facts *facts, double gbps,
                               struct outcome *outcome)
{
    const double peak =
        2e-6 * facts->memory_clock_khz * facts->memory_bus_bits / 8;
    if (outcome->status != STATUS_OK || peak <= 0 || gbps <= peak)
        return;
    outcome->status = STATUS_SUSPECT;
    snprintf(outcome->reason, REASON_BYTES,
             "above the memory bus's %.0f GB/s: outputs may still lie in the "
             "L2 cache",
             peak);
}

static struct row row_of(const struct cell *cell, struct outcome *outcome,
                         const struct results *results, double ceiling_gbps)
{
    const bool timed =
        outcome->status <= STATUS_UNSTABLE && outcome->us.count > 0;
    struct row row = row_unknown();
    row.op = cell->op;
    row.dtype = cell->dtype;
    row.outer = cell->shape.outer;
    row.axis = cell->shape.axis;
    row.inner = cell->shape.inner;
    row.cache = cell->cache;
    row.launch = 0;
    row.status = outcome->status;
    row.bytes = op_bytes(cell->op, cell->dtype, cell->shape);
    row.passes = cell->variant->passes;
    row.max_err = outcome->max_error;
    row.err_bound = outcome->bound;
    if (timed) {
        row.samples = (int64_t)outcome->us.count;
        row.min_us = outcome->us.min;
        row.q1_us = outcome->us.q1;
        row.median_us = outcome->us.median;
        row.q3_us = outcome->us.q3;
        row.max_us = outcome->us.max;
        row.gbps = gbps_of(cell, outcome);
        row.sm_mhz = outcome->sensors.sm_mhz;
        row.mem_mhz = outcome->sensors.mem_mhz;
        row.temp_c = outcome->sensors.temp_c;
        row.power_w = outcome->sensors.power_w;
    }
    if (timed && ceiling_gbps > 0) {
        row.ceiling_gbps = ceiling_gbps;
        row.pct_ceiling = 100 * row.gbps / ceiling_gbps;
    }
    snprintf(row.device, sizeof row.device, "%s", results->device);
    snprintf(row.variant, sizeof row.variant, "%s", cell->variant->name);
    snprintf(row.reason, sizeof row.reason, "%s", outcome->reason);
    return row;
}

static double *ceiling_slot(struct ceilings *ceilings, const struct cell *cell)
{
    return &ceilings
                ->gbps[op_twin(cell->op)][cell->dtype][size_class(cell->shape)];
}

/* A probe that was just measured may be the best so far. */
static void raise_ceiling(struct ceilings *ceilings, const struct cell *cell,
                          const struct outcome *outcome)
{
    double *best = ceiling_slot(ceilings, cell);
    if (outcome->status > STATUS_SUSPECT || !(gbps_of(cell, outcome) > *best))
        return;
    *best = gbps_of(cell, outcome);
    ceilings->cell[cell->op][cell->dtype][size_class(cell->shape)] = cell;
}

static bool write_ceilings(const struct ceilings *ceilings,
                           struct results *results, const char *phase)
{
    for (int o = 0; o < OP_COUNT; ++o)
        for (int d = 0; d < DTYPE_COUNT; ++d)
            for (int class = 0; class < SIZE_CLASSES; ++class) {
                const struct cell *cell = ceilings->cell[o][d][class];
                if (!cell)
                    continue;
                struct ceiling line = {
                    .twin = o,
                    .dtype = (enum dtype)d,
                    .cache = cell->cache,
                    .elems = shape_elems(cell->shape),
                    .bytes = op_bytes(cell->op, cell->dtype, cell->shape),
                    .gbps = ceilings->gbps[o][d][class],
                    .variant = cell->variant->name,
                    .phase = phase,
                };
                if (!results_ceiling(results, &line))
                    return false;
            }
    return true;
}

static bool write_roofs(struct worker *worker, struct results *results)
{
    static const enum dtype types[] = { DTYPE_F32, DTYPE_F64 };
    for (int k = 0; k < 2; ++k) {
        struct ceiling line = { .twin = -1,
                                .dtype = types[k],
                                .gflops = worker_add_gflops(worker, types[k]),
                                .phase = "start" };
        if (line.gflops > 0 && !results_ceiling(results, &line))
            return false;
    }
    return true;
}

/* The best probes of the largest size once more: their drift is the run's. */
static bool repeat_ceilings(const struct ceilings *start,
                            const struct options *options,
                            struct worker *worker, struct results *results)
{
    static struct ceilings end;
    double worst = 0;
    end = (struct ceilings){ 0 };
    for (int o = 0; o < OP_COUNT; ++o)
        for (int d = 0; d < DTYPE_COUNT; ++d) {
            int class = SIZE_CLASSES - 1;
            while (class >= 0 && !start->cell[o][d][class])
                --class;
            if (class < 0)
                continue;
            struct outcome outcome;
            const struct cell *cell = start->cell[o][d][class];
            if (!worker_run(worker, cell, options->timeout_s, &outcome))
                return false;
            if (outcome.status > STATUS_SUSPECT)
                continue;
            raise_ceiling(&end, cell, &outcome);
            double drift =
                100 * (end.gbps[o][d][class] / start->gbps[o][d][class] - 1);
            if (fabs(drift) > fabs(worst))
                worst = drift;
        }
    results_fact(results, "ceiling_drift_pct", "%.2f", worst);
    return write_ceilings(&end, results, "end");
}

static bool write_cell(const struct cell *cell, struct outcome *outcome,
                       const struct worker *worker, struct results *results,
                       struct ceilings *ceilings)
{
    if (outcome->us.count > 0 && outcome->status == STATUS_OK)
        suspect_above_peak(&worker->facts, gbps_of(cell, outcome), outcome);
    struct row row =
        row_of(cell, outcome, results, *ceiling_slot(ceilings, cell));
    return results_row(results, &row);
}

/* The ceilings first, then all else. A probe's own row waits for the rest of
 * its kind, since its ceiling is the best of them. */
static bool run_probes(const struct plan *plan, const struct options *options,
                       struct worker *worker, struct results *results,
                       struct ceilings *ceilings, struct progress *progress,
                       struct tally *tally)
{
    static struct outcome outcomes[512];
    for (size_t first = 0; first < plan->probes;) {
        size_t end = first;
        for (; end < plan->probes && end - first < 512 &&
               ceiling_slot(ceilings, &plan->cells[end]) ==
                   ceiling_slot(ceilings, &plan->cells[first]);
             ++end) {
            progress_cell(progress, &plan->cells[end]);
            if (!worker_run(worker, &plan->cells[end], options->timeout_s,
                            &outcomes[end - first]))
                return false;
            tally_count(tally, outcomes[end - first].status);
            progress_problem(progress, &plan->cells[end],
                             &outcomes[end - first]);
            if (outcomes[end - first].us.count > 0)
                raise_ceiling(ceilings, &plan->cells[end],
                              &outcomes[end - first]);
        }
        for (size_t k = first; k < end; ++k)
            if (!write_cell(&plan->cells[k], &outcomes[k - first], worker,
                            results, ceilings))
                return false;
        first = end;
    }
    return write_ceilings(ceilings, results, "start");
}

/* Where variants turned out too slow to be timed. */
struct slow_cells {
    const struct cell *cell[1024];
    int count;
};

/* A cell where the same variant was too slow for lines no longer, and a tensor
 * no larger; or NULL. */
static const struct cell *slower_than(const struct slow_cells *slow,
                                      const struct cell *cell)
{
    for (int k = 0; k < slow->count; ++k) {
        const struct cell *other = slow->cell[k];
        if (other->variant == cell->variant && other->op == cell->op &&
            other->dtype == cell->dtype &&
            other->shape.inner == cell->shape.inner &&
            other->shape.axis <= cell->shape.axis &&
            shape_elems(other->shape) <= shape_elems(cell->shape))
            return other;
    }
    return NULL;
}

static void skip_slower(const struct cell *other, struct outcome *outcome)
{
    char shape[SHAPE_TEXT_BYTES];
    *outcome = (struct outcome){ .status = STATUS_SKIP,
                                 .max_error = NAN,
                                 .bound = NAN,
                                 .sensors = { NAN, NAN, NAN, NAN } };
    snprintf(outcome->reason, REASON_BYTES,
             "not tried: too slow already at %s (see --slow)",
             shape_format(other->shape, shape));
}

static bool run_cells(const struct plan *plan, const struct options *options,
                      struct worker *worker, struct results *results,
                      struct ceilings *ceilings, struct progress *progress,
                      struct tally *tally)
{
    static struct slow_cells slow;
    for (size_t k = plan->probes; k < plan->count; ++k) {
        const struct cell *cell = &plan->cells[k];
        const struct cell *slower = slower_than(&slow, cell);
        struct outcome outcome;
        progress_cell(progress, cell);
        if (slower)
            skip_slower(slower, &outcome);
        else if (!worker_run(worker, cell, options->timeout_s, &outcome))
            return false;
        if (outcome.slow && slow.count < 1024)
            slow.cell[slow.count++] = cell;
        tally_count(tally, outcome.status);
        progress_problem(progress, cell, &outcome);
        if (!write_cell(cell, &outcome, worker, results, ceilings))
            return false;
    }
    return true;
}

static void report(const struct tally *tally, const struct results *results)
{
    fprintf(stderr,
            "scanbench: %d measured, %d skipped with a reason, %d wrong, %d "
            "failed; rows in %s\n",
            tally->ok, tally->skipped, tally->wrong, tally->failed,
            results->folder);
}

int sweep_run(const struct plan *plan, const struct options *options,
              struct worker *worker, int argc, char **argv)
{
    static struct ceilings ceilings;
    static struct results results;
    struct tally tally = { 0 };
    struct progress progress;
    if (!results_open(&results, options->out, &worker->facts, argc, argv))
        return EXIT_BAD;
    progress_start(&progress, plan->count, options->quiet);
    bool complete = write_roofs(worker, &results) &&
                    run_probes(plan, options, worker, &results, &ceilings,
                               &progress, &tally) &&
                    run_cells(plan, options, worker, &results, &ceilings,
                              &progress, &tally) &&
                    repeat_ceilings(&ceilings, options, worker, &results);
    progress_end(&progress);
    results_fact(&results, "wall_s", "%.1f", progress_seconds(&progress));
    bool closed = results_close(&results, complete);
    report(&tally, &results);
    puts(results.folder);
    if (worker_interrupted) {
        fprintf(stderr, "scanbench: interrupted\n");
        return EXIT_INTERRUPTED;
    }
    if (!complete || !closed)
        return EXIT_BAD;
    return tally.wrong || tally.failed ? EXIT_WRONG : EXIT_OK;
}
