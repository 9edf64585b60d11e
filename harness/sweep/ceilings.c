/* SPDX-License-Identifier: MIT */
#include "harness/sweep/sweep.h"

#include "src/base/memory.h"
#include "src/runs/ceiling.h"

#include <math.h>

static struct ceiling *find(const struct ceilings *ceilings,
                            const struct ceiling *like)
{
    for (size_t k = 0; k < ceilings->count; ++k) {
        struct ceiling *probe = &ceilings->probe[k];
        if (probe->twin == like->twin && probe->dtype == like->dtype &&
            probe->cache == like->cache && probe->elems == like->elems)
            return probe;
    }
    return NULL;
}

void ceilings_raise(struct ceilings *ceilings, const struct cell *cell,
                    double gbps)
{
    const struct ceiling probe = {
        .twin = (int)cell->op,
        .dtype = cell->dtype,
        .cache = cell->cache,
        .elems = shape_elems(cell->shape),
        .bytes = op_bytes(cell->op, cell->dtype, cell->shape),
        .gbps = gbps,
        .variant = cell->variant->name,
    };
    struct ceiling *best = find(ceilings, &probe);
    if (best && gbps > best->gbps)
        *best = probe;
    if (best)
        return;
    ceilings->probe =
        memory_more(ceilings->probe, ceilings->count, sizeof probe);
    ceilings->probe[ceilings->count++] = probe;
    ceiling_sort(ceilings->probe, ceilings->count);
}

double ceilings_gbps(const struct ceilings *ceilings, const struct cell *cell)
{
    const struct ceiling like = { .dtype = cell->dtype, .cache = cell->cache };
    return ceiling_gbps(ceilings->probe, ceilings->count, &like, cell->op,
                        cell->shape);
}

static bool write_ceilings(const struct ceilings *ceilings, struct sweep *sweep,
                           const char *phase)
{
    for (size_t k = 0; k < ceilings->count; ++k) {
        struct ceiling line = ceilings->probe[k];
        line.process = sweep->process;
        line.phase = phase;
        if (!results_ceiling(&sweep->results, &line))
            return false;
    }
    return true;
}

/* Largest change of a ceiling that both have, in per cent of the one at the
 * start. */
static double drift_pct(const struct ceilings *start,
                        const struct ceilings *end)
{
    double worst = 0;
    for (size_t k = 0; k < end->count; ++k) {
        const struct ceiling *to = &end->probe[k], *from = find(start, to);
        const double drift = from ? 100 * (to->gbps / from->gbps - 1) : 0;
        if (fabs(drift) > fabs(worst))
            worst = drift;
    }
    return worst;
}

/* The rows are written after the whole group, as its best probe is their
 * ceiling. */
static bool on_probe_done(void *context, const struct cell *cell,
                          struct outcome *outcome)
{
    struct sweep *sweep = context;
    sweep_take(sweep, cell, outcome);
    if (sweep_is_ceiling(&outcome->row))
        ceilings_raise(&sweep->ceilings, cell, outcome->row.gbps);
    return sweep_has_row(sweep, cell) || sweep_keep_samples(sweep, outcome);
}

bool sweep_probes(struct sweep *sweep, struct cell *left,
                  struct outcome *outcomes)
{
    const struct plan *plan = sweep->plan;
    sweep->measure.done = on_probe_done;
    for (size_t first = 0; first < plan->probes;) {
        const struct cell *cells = plan->cells + first;
        const size_t count = cells_of_problem(cells, plan->probes - first);
        struct cell *group = left + first;
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
    return write_ceilings(&sweep->ceilings, sweep, "start");
}

static bool on_repeat_done(void *context, const struct cell *cell,
                           struct outcome *outcome)
{
    if (sweep_is_ceiling(&outcome->row))
        ceilings_raise(context, cell, outcome->row.gbps);
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
    end.count = 0;
    struct measure measure = sweep->measure;
    measure.starts = NULL;
    measure.done = on_repeat_done;
    measure.context = &end;
    for (size_t first = 0; first < plan->probes;) {
        const struct cell *cells = plan->cells + first;
        const size_t count = cells_of_problem(cells, plan->probes - first);
        if (plan_is_largest(plan, cells) &&
            !measure_probes(&measure, cells, count, outcomes))
            return false;
        first += count;
    }
    sweep->measure.costs = measure.costs;
    const double drift = drift_pct(&sweep->ceilings, &end);
    if (fabs(drift) > fabs(sweep->worst_drift_pct))
        sweep->worst_drift_pct = drift;
    results_fact(&sweep->results, "ceiling_drift_pct", "%.2f",
                 sweep->worst_drift_pct);
    return write_ceilings(&end, sweep, "end");
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
