/* SPDX-License-Identifier: MIT */
#include "harness/sweep/sweep_parts.h"

#include "harness/sweep/again.h"
#include "harness/measure/cache_assist.h"

#include "harness/device/nvml.h"

#include "src/model/family.h"

#include <stdio.h>

double sweep_gbps(const struct cell *cell, const struct outcome *outcome)
{
    return (double)op_bytes(cell->op, cell->dtype, cell->shape) /
           (outcome->us.median * 1e3);
}

bool sweep_was_timed(const struct outcome *outcome)
{
    return status_is_sampled(outcome->status) && outcome->us.count > 0;
}

void sweep_mark_cache(const struct worker *worker, const struct cell *cell,
                      struct outcome *outcome)
{
    if (sweep_was_timed(outcome) &&
        cache_assists(&worker->facts, &worker->driver, cell,
                      sweep_gbps(cell, outcome)))
        outcome_mark(outcome, "cache_assisted");
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
    row->exchange_us = outcome->exchange_us;
    row->sm_mhz = outcome->sensors.sm_mhz;
    row->sm_counted_mhz = outcome->sm_counted_mhz;
    row->mem_mhz = outcome->sensors.mem_mhz;
    row->temp_c = outcome->sensors.temp_c;
    row->power_w = outcome->sensors.power_w;
    nvml_throttle_words(outcome->sensors.throttle, row->throttle,
                        sizeof row->throttle);
}

/* A probe at a rounded size may be a little slower; more is not explained. */
static const double above_ceiling_pct = 120;

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
    row.process = sweep->process;
    row.status = outcome->status;
    row.bytes = op_bytes(cell->op, cell->dtype, cell->shape);
    row.passes = variant_passes(cell->variant, cell->op);
    if (cell->ranks) {
        row.ranks = cell->ranks;
        row.gpus = cell_gpus(cell, &sweep->worker->facts);
    }
    row.launch_us = outcome->launch_us;
    row.max_err = outcome->max_error;
    row.err_bound = outcome->bound;
    if (sweep_was_timed(outcome)) {
        const double ceiling_gbps = ceilings_gbps(&sweep->ceilings, cell);
        row_times(&row, outcome);
        row.gbps = sweep_gbps(cell, outcome);
        if (ceiling_gbps > 0) {
            row.ceiling_gbps = ceiling_gbps;
            row.pct_ceiling = 100 * row.gbps / ceiling_gbps;
        }
    }
    snprintf(row.device, sizeof row.device, "%s",
             manifest_get(&sweep->results.manifest, "device"));
    snprintf(row.variant, sizeof row.variant, "%s", cell->variant->name);
    variant_family(cell->variant->name, row.family, sizeof row.family);
    snprintf(row.reason, sizeof row.reason, "%s", outcome->reason);
    snprintf(row.marks, sizeof row.marks, "%s", outcome->marks);
    snprintf(row.card, sizeof row.card, "%s", sweep->results.card);
    return row;
}

bool sweep_in_place(struct sweep *sweep)
{
    struct stat now;
    const struct stat *then = &sweep->folder;
    if (sweep->moved ||
        (stat(sweep->results.folder, &now) == 0 && now.st_dev == then->st_dev &&
         now.st_ino == then->st_ino))
        return !sweep->moved;
    sweep->moved = true;
    fprintf(stderr,
            "scanbench: %s is not the folder any more that this run began in: "
            "its rows are where somebody has moved it; --resume goes on "
            "there\n",
            sweep->results.folder);
    return false;
}

bool sweep_keep_samples(struct sweep *sweep, const struct cell *cell,
                        const struct outcome *outcome)
{
    if (!sweep->options->samples || !outcome->samples)
        return true;
    const struct row row = row_of(sweep, cell, outcome);
    return sweep_in_place(sweep) &&
           results_samples(&sweep->results, &row, outcome->samples,
                           outcome->us.count);
}

bool sweep_write(struct sweep *sweep, const struct cell *cell,
                 const struct outcome *outcome)
{
    struct row row = row_of(sweep, cell, outcome);
    if (row.pct_ceiling > above_ceiling_pct)
        row_add_marks(row.marks, sizeof row.marks, "above_ceiling");
    return sweep_in_place(sweep) && results_row(&sweep->results, &row);
}

void sweep_tally(struct sweep *sweep, const struct cell *cell,
                 enum status status, const char *reason)
{
    tally_count(&sweep->tally, status, reason);
    if (cell->asked)
        tally_count(&sweep->asked, status, reason);
}

double sweep_estimate_ms(const struct sweep *sweep, const struct cell *cell)
{
    return estimate_ms(cell, sweep->options->budget_ms, &sweep->worker->facts,
                       &sweep->worker->driver);
}

static void tell_result(struct sweep *sweep, const struct cell *cell,
                        const struct outcome *outcome)
{
    char text[64];
    const double ceiling_gbps = ceilings_gbps(&sweep->ceilings, cell);
    if (!sweep_was_timed(outcome))
        snprintf(text, sizeof text, "%s", status_name(outcome->status));
    else if (ceiling_gbps > 0)
        snprintf(text, sizeof text, "%.*f us, %.0f %%",
                 outcome->us.median < 1000, outcome->us.median,
                 100 * sweep_gbps(cell, outcome) / ceiling_gbps);
    else
        snprintf(text, sizeof text, "%.1f us, %.1f GB/s", outcome->us.median,
                 sweep_gbps(cell, outcome));
    progress_result(&sweep->progress, cell, text);
}

void sweep_count(struct sweep *sweep, const struct cell *cell,
                 const struct outcome *outcome)
{
    sweep_tally(sweep, cell, outcome->status, outcome->reason);
    tell_result(sweep, cell, outcome);
    char again[AGAIN_BYTES];
    progress_problem(
        &sweep->progress, cell, outcome,
        again_text(sweep->options, sweep->worker->kind, cell, again));
    if (outcome->status == STATUS_SLOW)
        slow_add(&sweep->slow, cell, outcome->launch_us);
}

void sweep_on_start(void *context, const struct cell *cell)
{
    struct sweep *sweep = context;
    progress_cell(&sweep->progress, cell, sweep_estimate_ms(sweep, cell));
}
