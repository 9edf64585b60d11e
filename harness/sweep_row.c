/* SPDX-License-Identifier: MIT */
#include "harness/sweep_parts.h"

#include "harness/device/nvml.h"

#include <stdio.h>

double sweep_gbps(const struct cell *cell, const struct outcome *outcome)
{
    return (double)op_bytes(cell->op, cell->dtype, cell->shape) /
           (outcome->us.median * 1e3);
}

bool sweep_was_timed(const struct outcome *outcome)
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
        sweep_gbps(cell, outcome) <= peak)
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

void sweep_suspect(const struct device_facts *facts, const struct cell *cell,
                   struct outcome *outcome)
{
    if (outcome->status != STATUS_OK || !sweep_was_timed(outcome))
        return;
    suspect_dirty(facts, cell, outcome);
    suspect_above_peak(facts, cell, outcome);
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
    row.launch = sweep->launch;
    row.status = outcome->status;
    row.bytes = op_bytes(cell->op, cell->dtype, cell->shape);
    row.passes = variant_passes(cell->variant, cell->op);
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
    snprintf(row.device, sizeof row.device, "%s", sweep->results.device);
    snprintf(row.variant, sizeof row.variant, "%s", cell->variant->name);
    snprintf(row.reason, sizeof row.reason, "%s", outcome->reason);
    const bool above = row.pct_ceiling > above_ceiling_pct;
    snprintf(row.marks, sizeof row.marks, "%s%s%s", outcome->marks,
             above && *outcome->marks ? "+" : "", above ? "above_ceiling" : "");
    return row;
}

bool sweep_write(struct sweep *sweep, const struct cell *cell,
                 const struct outcome *outcome)
{
    const struct row row = row_of(sweep, cell, outcome);
    return results_row(&sweep->results, &row);
}

void sweep_tally(struct sweep *sweep, const struct cell *cell,
                 enum status status, const char *reason)
{
    tally_count(&sweep->tally, status, reason);
    if (cell->asked)
        tally_count(&sweep->asked, status, reason);
}

void sweep_count(struct sweep *sweep, const struct cell *cell,
                 const struct outcome *outcome)
{
    sweep_tally(sweep, cell, outcome->status, outcome->reason);
    progress_problem(&sweep->progress, cell, outcome);
    if (outcome->slow)
        slow_add(&sweep->slow, cell, outcome->slow_us);
}

void sweep_on_start(void *context, const struct cell *cell)
{
    progress_cell(&((struct sweep *)context)->progress, cell);
}
