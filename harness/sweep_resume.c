/* SPDX-License-Identifier: MIT */
#include "harness/sweep_parts.h"

static struct finished_key key_of(const struct cell *cell, int process)
{
    return (struct finished_key){ .op = cell->op,
                                  .variant = cell->variant->name,
                                  .dtype = cell->dtype,
                                  .shape = cell->shape,
                                  .cache = cell->cache,
                                  .process = process };
}

static const struct finished *finished_of(const struct sweep *sweep,
                                          const struct cell *cell, int process)
{
    const struct finished_key key = key_of(cell, process);
    return results_finished(&sweep->results, &key);
}

static bool is_ceiling(const struct finished *finished)
{
    return finished->status == STATUS_OK && finished->gbps > 0;
}

/* What the row that is there would have done, had it come just now. */
static void take_finished(struct sweep *sweep, const struct cell *cell,
                          const struct finished *finished, bool probe)
{
    progress_passed(&sweep->progress, sweep_estimate_ms(sweep, cell));
    sweep_tally(sweep, cell, finished->status, finished->reason);
    if (probe && is_ceiling(finished))
        ceilings_raise(&sweep->ceilings, cell, finished->gbps);
    if (finished->status == STATUS_SLOW)
        slow_add(&sweep->slow, cell, finished->launch_us);
}

/* The line that the probe's ceiling has, as far as it says which. */
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

bool sweep_is_over(const struct sweep *sweep, int process)
{
    const struct plan *plan = sweep->plan;
    const struct largest largest = plan_largest(plan);
    bool over = has_roofs(sweep, process);
    for (size_t k = 0; k < plan->count && over; ++k) {
        const struct cell *cell = &plan->cells[k];
        const struct finished *finished = finished_of(sweep, cell, process);
        over = finished != NULL;
        if (!over || k >= plan->probes || !is_ceiling(finished))
            continue;
        over =
            has_ceiling(sweep, cell, process, "start") &&
            (size_class(cell->shape) != largest.class[cell->op][cell->dtype] ||
             has_ceiling(sweep, cell, process, "end"));
    }
    return over;
}

static bool plan_cells(const struct plan *plan, struct finished_table *cells)
{
    bool ok = true;
    for (size_t k = 0; k < plan->count && ok; ++k) {
        const struct finished_key key = key_of(&plan->cells[k], 0);
        ok = finished_add_key(cells, &key);
    }
    return ok;
}

bool sweep_knows_rows(const struct sweep *sweep)
{
    struct finished_table cells = { 0 };
    const struct finished *stranger = NULL;
    const bool ok = plan_cells(sweep->plan, &cells);
    if (!ok)
        fprintf(stderr, "scanbench: no memory for %zu cells\n",
                sweep->plan->count);
    else
        stranger = finished_stranger(&sweep->results.finished, &cells,
                                     sweep->options->processes);
    if (stranger) {
        const struct finished_key *key = &stranger->key;
        char shape[SHAPE_TEXT_BYTES];
        fprintf(stderr,
                "scanbench: %s cannot be resumed: its row of %s/%s/%s/%s, "
                "process %lld, is of no cell that it would measure here: take "
                "the row out, or resume with the build that it was begun "
                "with\n",
                sweep->results.folder, op_name(key->op), key->variant,
                dtype_name(key->dtype), shape_format(key->shape, shape),
                (long long)key->process);
    }
    finished_free(&cells);
    return ok && !stranger;
}

void sweep_tally_finished(struct sweep *sweep)
{
    const struct plan *plan = sweep->plan;
    for (int process = 0; process < sweep->options->processes; ++process)
        for (size_t k = 0; k < plan->count; ++k) {
            const struct cell *cell = &plan->cells[k];
            const struct finished *finished = finished_of(sweep, cell, process);
            if (finished)
                sweep_tally(sweep, cell, finished->status, finished->reason);
        }
}

size_t sweep_take_group(struct sweep *sweep, const struct cell *cells,
                        size_t count, bool probes, struct cell *left)
{
    size_t missing = 0;
    for (size_t k = 0; k < count; ++k) {
        const struct finished *finished =
            finished_of(sweep, &cells[k], sweep->process);
        if (finished)
            take_finished(sweep, &cells[k], finished, probes);
        else
            left[missing++] = cells[k];
    }
    return missing;
}
