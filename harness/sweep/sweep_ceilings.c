/* SPDX-License-Identifier: MIT */
#include "harness/sweep/sweep_parts.h"

#include <math.h>
#include <string.h>

/* A probe's own row waits for its whole group, since its ceiling is the best
 * of them. */
static bool on_probe_done(void *context, const struct cell *cell,
                          struct outcome *outcome)
{
    struct sweep *sweep = context;
    /* What is doubtful is no ceiling for others. */
    const bool sound = outcome->status == STATUS_OK && sweep_was_timed(outcome);
    sweep_mark_cache(sweep->worker, cell, outcome);
    sweep_count(sweep, cell, outcome);
    if (sound)
        ceilings_raise(&sweep->ceilings, cell, sweep_gbps(cell, outcome));
    return sweep_has_row(sweep, cell) ||
           sweep_keep_samples(sweep, cell, outcome);
}

bool sweep_probes(struct sweep *sweep, struct cell *left,
                  struct outcome *outcomes)
{
    const struct plan *plan = sweep->plan;
    sweep->measure.done = on_probe_done;
    for (size_t first = 0; first < plan->probes;) {
        const struct cell *cells = plan->cells + first;
        const size_t count = cells_of_problem(cells, plan->probes - first);
        struct cell *group = left + first; /* ceilings point into it */
        const size_t missing =
            sweep_take_group(sweep, cells, count, true, group);
        if (missing &&
            !measure_group(&sweep->measure, group, missing, outcomes))
            return false;
        for (size_t k = 0; k < missing; ++k)
            if (!sweep_has_row(sweep, &group[k]) &&
                !sweep_write(sweep, &group[k], &outcomes[k]))
                return false;
        first += count;
    }
    return ceilings_write(&sweep->ceilings, &sweep->results, sweep->process,
                          "start");
}

static bool on_repeat_done(void *context, const struct cell *cell,
                           struct outcome *outcome)
{
    if (outcome->status == STATUS_OK && sweep_was_timed(outcome))
        ceilings_raise(context, cell, sweep_gbps(cell, outcome));
    return true;
}

bool sweep_roofs(struct sweep *sweep)
{
    static const enum dtype types[] = { DTYPE_F32, DTYPE_F64 };
    for (int k = 0; k < 2; ++k) {
        struct ceiling line = { .twin = -1,
                                .dtype = types[k],
                                .process = sweep->process,
                                .phase = "start" };
        if (!measure_roof(&sweep->measure, types[k], &line.gflops) ||
            !results_ceiling(&sweep->results, &line))
            return false;
    }
    return true;
}

bool sweep_repeat_ceilings(struct sweep *sweep, struct outcome *outcomes)
{
    const struct plan *plan = sweep->plan;
    static struct ceilings end;
    const struct largest largest = plan_largest(plan);
    memset(&end, 0, sizeof end);
    struct measure measure = sweep->measure;
    measure.starts = NULL;
    measure.done = on_repeat_done;
    measure.context = &end;
    for (size_t first = 0; first < plan->probes;) {
        const struct cell *cells = plan->cells + first;
        const size_t count = cells_of_problem(cells, plan->probes - first);
        if (size_class(cells[0].shape) ==
                largest.class[cells[0].op][cells[0].dtype] &&
            !measure_probes(&measure, cells, count, outcomes))
            return false;
        first += count;
    }
    sweep->measure.costs = measure.costs;
    const double drift = ceilings_drift_pct(&sweep->ceilings, &end);
    if (fabs(drift) > fabs(sweep->worst_drift_pct))
        sweep->worst_drift_pct = drift;
    results_fact(&sweep->results, "ceiling_drift_pct", "%.2f",
                 sweep->worst_drift_pct);
    return ceilings_write(&end, &sweep->results, sweep->process, "end");
}

bool sweep_empty(struct sweep *sweep)
{
    if (!measure_empty(&sweep->measure))
        return false;
    results_fact(&sweep->results, "empty_us", "%.3f",
                 sweep->measure.empty_us[CACHE_COLD]);
    results_fact(&sweep->results, "empty_hot_us", "%.3f",
                 sweep->measure.empty_us[CACHE_HOT]);
    return true;
}
