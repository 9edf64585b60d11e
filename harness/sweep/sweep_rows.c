/* SPDX-License-Identifier: MIT
 *
 * The rows and ceilings that a run writes and, if it is resumed, the earlier
 * ones.
 */
#include "harness/sweep/sweep.h"

#include "harness/device/nvml.h"
#include "src/runs/ceiling.h"

#include <math.h>
#include <stdio.h>

/* Interpolation and noise explain shares up to this. */
static const double above_ceiling_pct = 120;

/* -------------------------------------------------------- the best probes */

/* Takes a probe's rate if it is the best so far. */
static void raise_ceiling(struct ceilings *ceilings, const struct cell *cell,
                          double gbps)
{
    const struct ceiling probe = {
        .twin = (int)cell->op,
        .dtype = cell->dtype,
        .cache = cell->cache,
        .elems = shape_elems(cell->shape),
        .bytes = op_bytes(cell->op, cell->dtype, cell->shape),
        .gbps = gbps,
        .gflops = NAN,
        .variant = cell->variant->name,
    };
    struct ceiling *best = ceilings_find(ceilings, &probe);
    if (best && gbps > best->gbps)
        *best = probe;
    if (best)
        return;
    ceilings_add(ceilings, &probe);
    ceilings_sort(ceilings);
}

double ceilings_gbps(const struct ceilings *ceilings, const struct cell *cell)
{
    const struct ceiling like = { .dtype = cell->dtype, .cache = cell->cache };
    return ceiling_gbps(ceilings, &like, cell->op, cell->shape);
}

/* ------------------------------------------------------------------- rows */

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
            "scanbench: %s was moved or deleted: --resume it where it is\n",
            sweep->results.folder);
    return false;
}

/* True if the row can be a ceiling: timed, and not doubtful. */
static bool is_ceiling(const struct row *row)
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
           (sweep_in_place(sweep) &&
            results_samples(&sweep->results, &outcome->row, outcome->samples));
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
    return sweep_in_place(sweep) && results_row(&sweep->results, &row);
}

/* ------------------------------------------------------------ earlier rows */

/* Returns the row that the process wrote before the run was resumed, or NULL.
 */
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

/* True if ceilings.csv has the probe's line or, with `op` -1, its roof. */
static bool has_ceiling(const struct sweep *sweep, const struct cell *probe,
                        int process, bool at_end)
{
    const struct ceiling like = { .twin = (int)probe->op,
                                  .dtype = probe->dtype,
                                  .cache = probe->cache,
                                  .elems = shape_elems(probe->shape),
                                  .process = process,
                                  .at_end = at_end };
    return ceilings_find(&sweep->results.ceilings, &like) != NULL;
}

static bool has_roof(const struct sweep *sweep, int process, enum dtype dtype)
{
    const struct cell roof = { .op = (enum op) - 1, .dtype = dtype };
    return has_ceiling(sweep, &roof, process, false);
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
        if (k < plan->probes && is_ceiling(finished) &&
            (!has_ceiling(sweep, cell, process, false) ||
             (plan_is_largest(plan, cell) &&
              !has_ceiling(sweep, cell, process, true))))
            return false;
    }
    return true;
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
        progress_passed(&sweep->progress, cell, finished);
        if (probes && is_ceiling(finished))
            raise_ceiling(&sweep->ceilings, cell, finished->gbps);
        if (finished->status == STATUS_SLOW)
            slow_add(&sweep->slow, cell, finished->launch_us);
    }
    return missing;
}

/* ------------------------------------------------------------------ probes */

static bool write_ceilings(const struct ceilings *ceilings, struct sweep *sweep,
                           bool at_end)
{
    for (size_t k = 0; k < ceilings->count; ++k) {
        struct ceiling line = ceilings->line[k];
        line.process = sweep->process;
        line.at_end = at_end;
        if (!results_ceiling(&sweep->results, &line))
            return false;
    }
    return true;
}

/* Rows are written after the group, as its best probe is their ceiling. */
static bool on_probe_done(void *context, const struct cell *cell,
                          struct outcome *outcome)
{
    struct sweep *sweep = context;
    sweep_take(sweep, cell, outcome);
    if (is_ceiling(&outcome->row))
        raise_ceiling(&sweep->ceilings, cell, outcome->row.gbps);
    return finished_of(sweep, cell, sweep->process) ||
           sweep_keep_samples(sweep, outcome);
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
            if (!finished_of(sweep, &group[k], sweep->process) &&
                !sweep_write(sweep, &group[k], &outcomes[k]))
                return false;
        first += count;
    }
    return write_ceilings(&sweep->ceilings, sweep, false);
}

static bool on_repeat_done(void *context, const struct cell *cell,
                           struct outcome *outcome)
{
    if (is_ceiling(&outcome->row))
        raise_ceiling(context, cell, outcome->row.gbps);
    return true;
}

bool sweep_roofs(struct sweep *sweep)
{
    static const enum dtype types[] = { DTYPE_F32, DTYPE_F64 };
    for (int k = 0; k < 2; ++k) {
        struct ceiling line = ceiling_unknown();
        line.dtype = types[k];
        line.process = sweep->process;
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
    for (size_t k = 0; k < end.count; ++k) {
        const struct ceiling *to = &end.line[k],
                             *from = ceilings_find(&sweep->ceilings, to);
        const double drift = from ? 100 * (to->gbps / from->gbps - 1) : 0;
        if (fabs(drift) > fabs(sweep->worst_drift_pct))
            sweep->worst_drift_pct = drift;
    }
    results_fact(&sweep->results, "ceiling_drift_pct", "%.2f",
                 sweep->worst_drift_pct);
    return write_ceilings(&end, sweep, true);
}

bool sweep_empty(struct sweep *sweep)
{
    if (!measure_empty(&sweep->measure))
        return false;
    const bool graphs = sweep->worker->facts.kind == DEVICE_CUDA;
    for (int cache = 0; cache < CACHE_COUNT; ++cache)
        if (cache != CACHE_GRAPH || graphs)
            results_fact(&sweep->results, cache_empty_keys[cache], "%.3f",
                         sweep->measure.empty_us[cache]);
    return true;
}
