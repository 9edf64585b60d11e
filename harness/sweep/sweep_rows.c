/* SPDX-License-Identifier: MIT
 *
 * The rows of a run: those that it writes, and, when it is resumed, those of
 * before.
 */
#include "harness/sweep/sweep.h"

#include "harness/device/nvml.h"

/* Interpolation and noise explain shares up to this. */
static const double above_ceiling_pct = 120;

bool sweep_is_ceiling(const struct row *row)
{
    return row->status == STATUS_OK && row->gbps > 0;
}

void sweep_take(struct sweep *sweep, const struct cell *cell,
                struct outcome *outcome)
{
    struct row *row = &outcome->row;
    const struct worker *worker = sweep->worker;
    row->process = sweep->process;
    row->card = sweep->results.card;
    if (cell->ranks) {
        row->ranks = cell->ranks;
        row->gpus = cell_gpus(cell, &worker->facts);
    }
    row_set_ceiling(row, ceilings_gbps(&sweep->ceilings, cell));
    if (row->us.count &&
        cell_is_assisted(cell, &worker->facts, &worker->driver, row->gbps))
        row->marks |= MARK_CACHE_ASSISTED;
    progress_done(&sweep->progress, cell, outcome);
    if (row->status == STATUS_SLOW)
        slow_add(&sweep->slow, cell, row->launch_us);
}

bool sweep_keep_samples(struct sweep *sweep, const struct outcome *outcome)
{
    return !sweep->options->samples || !outcome->samples ||
           results_samples(&sweep->results, &outcome->row, outcome->samples);
}

bool sweep_write(struct sweep *sweep, const struct cell *cell,
                 const struct outcome *outcome)
{
    char throttle[ROW_TEXT_BYTES];
    struct row row = outcome->row;
    row.reason = outcome->reason;
    row.throttle = nvml_throttle_words(row.us.count ? outcome->throttle : 0,
                                       throttle, sizeof throttle);
    row_set_ceiling(&row, ceilings_gbps(&sweep->ceilings, cell));
    if (row.pct_ceiling > above_ceiling_pct)
        row.marks |= MARK_ABOVE_CEILING;
    return results_row(&sweep->results, &row);
}

/* ------------------------------------------------------------ earlier rows */

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

bool sweep_has_row(const struct sweep *sweep, const struct cell *cell)
{
    return finished_of(sweep, cell, sweep->process) != NULL;
}

/* True if ceilings.csv has a line for the probe's ceiling or, if its `op` is
 * -1, for the flat roof of its type. */
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

static bool has_roof(const struct sweep *sweep, int process, enum dtype dtype)
{
    const struct cell roof = { .op = (enum op) - 1, .dtype = dtype };
    return has_ceiling(sweep, &roof, process, "start");
}

bool sweep_is_over(const struct sweep *sweep, int process)
{
    const struct plan *plan = sweep->plan;
    if (!has_roof(sweep, process, DTYPE_F32) ||
        !has_roof(sweep, process, DTYPE_F64))
        return false;
    for (size_t k = 0; k < plan->count; ++k) {
        const struct cell *cell = &plan->cells[k];
        const struct row *finished = finished_of(sweep, cell, process);
        if (!finished)
            return false;
        if (k < plan->probes && sweep_is_ceiling(finished) &&
            (!has_ceiling(sweep, cell, process, "start") ||
             (plan_is_largest(plan, cell) &&
              !has_ceiling(sweep, cell, process, "end"))))
            return false;
    }
    return true;
}

void sweep_count_finished(struct sweep *sweep)
{
    const struct plan *plan = sweep->plan;
    for (int process = 0; process < sweep->options->processes; ++process)
        for (size_t k = 0; k < plan->count; ++k) {
            const struct cell *cell = &plan->cells[k];
            const struct row *finished = finished_of(sweep, cell, process);
            if (finished)
                progress_count(&sweep->progress, cell, finished->status,
                               finished->reason);
        }
}

size_t sweep_take_group(struct sweep *sweep, const struct cell *cells,
                        size_t count, bool probes, struct cell *left)
{
    size_t missing = 0;
    for (size_t k = 0; k < count; ++k) {
        const struct cell *cell = &cells[k];
        const struct row *finished = finished_of(sweep, cell, sweep->process);
        if (!finished || (probes && *sweep->results.card)) {
            left[missing++] = *cell;
            continue;
        }
        progress_passed(&sweep->progress, cell);
        progress_count(&sweep->progress, cell, finished->status,
                       finished->reason);
        if (probes && sweep_is_ceiling(finished))
            ceilings_raise(&sweep->ceilings, cell, finished->gbps);
        if (finished->status == STATUS_SLOW)
            slow_add(&sweep->slow, cell, finished->launch_us);
    }
    return missing;
}
