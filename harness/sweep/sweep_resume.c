/* SPDX-License-Identifier: MIT */
#include "harness/sweep/sweep_parts.h"

static const struct row *finished_of(const struct sweep *sweep,
                                     const struct cell *cell, int process)
{
    const struct row like = { .op = cell->op,
                              .variant = cell->variant->name,
                              .dtype = cell->dtype,
                              .shape = cell->shape,
                              .cache = cell->cache,
                              .process = process };
    return results_finished(&sweep->results, &like);
}

bool sweep_is_ceiling(const struct row *row)
{
    return row->status == STATUS_OK && row->gbps > 0;
}

/* Counts a row of before as if its cell had just been measured. */
static void take_finished(struct sweep *sweep, const struct cell *cell,
                          const struct row *finished, bool probe)
{
    progress_passed(&sweep->progress, sweep_estimate_ms(sweep, cell));
    sweep_tally(sweep, cell, finished->status, finished->reason);
    if (probe && sweep_is_ceiling(finished))
        ceilings_raise(&sweep->ceilings, cell, finished->gbps);
    if (finished->status == STATUS_SLOW)
        slow_add(&sweep->slow, cell, finished->launch_us);
}

/* True if ceilings.csv has a line for the probe's ceiling. */
static bool has_ceiling(const struct sweep *sweep, const struct cell *probe,
                        int process, const char *phase)
{
    const struct ceiling like = { .twin = (int)probe->op,
                                  .dtype = probe->dtype,
                                  .cache = probe->cache,
                                  .elems = shape_elems(probe->shape),
                                  .process = process,
                                  .phase = phase };
    return results_ceiling_line(&sweep->results, &like) != NULL;
}

static bool has_roofs(const struct sweep *sweep, int process)
{
    struct ceiling f32 = { .twin = -1, .process = process, .phase = "start" };
    struct ceiling f64 = f32;
    f32.dtype = DTYPE_F32;
    f64.dtype = DTYPE_F64;
    return results_ceiling_line(&sweep->results, &f32) &&
           results_ceiling_line(&sweep->results, &f64);
}

bool sweep_has_row(const struct sweep *sweep, const struct cell *cell)
{
    return finished_of(sweep, cell, sweep->process) != NULL;
}

bool sweep_is_over(const struct sweep *sweep, int process)
{
    const struct plan *plan = sweep->plan;
    const struct largest largest = plan_largest(plan);
    bool over = has_roofs(sweep, process);
    for (size_t k = 0; k < plan->count && over; ++k) {
        const struct cell *cell = &plan->cells[k];
        const struct row *finished = finished_of(sweep, cell, process);
        over = finished != NULL;
        if (!over || k >= plan->probes || !sweep_is_ceiling(finished))
            continue;
        over =
            has_ceiling(sweep, cell, process, "start") &&
            (size_class(cell->shape) != largest.class[cell->op][cell->dtype] ||
             has_ceiling(sweep, cell, process, "end"));
    }
    return over;
}

void sweep_tally_finished(struct sweep *sweep)
{
    const struct plan *plan = sweep->plan;
    for (int process = 0; process < sweep->options->processes; ++process)
        for (size_t k = 0; k < plan->count; ++k) {
            const struct cell *cell = &plan->cells[k];
            const struct row *finished = finished_of(sweep, cell, process);
            if (finished)
                sweep_tally(sweep, cell, finished->status, finished->reason);
        }
}

size_t sweep_take_group(struct sweep *sweep, const struct cell *cells,
                        size_t count, bool probes, struct cell *left)
{
    size_t missing = 0;
    for (size_t k = 0; k < count; ++k) {
        const struct row *finished =
            finished_of(sweep, &cells[k], sweep->process);
        if (finished && !(probes && *sweep->results.card))
            take_finished(sweep, &cells[k], finished, probes);
        else
            left[missing++] = cells[k];
    }
    return missing;
}
