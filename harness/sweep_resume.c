/* SPDX-License-Identifier: MIT */
#include "harness/sweep_parts.h"

#include <string.h>

static const struct finished *finished_of(const struct sweep *sweep,
                                          const struct cell *cell, int launch)
{
    const struct finished_key key = { .op = cell->op,
                                      .variant = cell->variant->name,
                                      .dtype = cell->dtype,
                                      .shape = cell->shape,
                                      .cache = cell->cache,
                                      .launch = launch };
    return results_finished(&sweep->results, &key);
}

/* What the row that is there would have done, had it come just now. */
static void take_finished(struct sweep *sweep, const struct cell *cell,
                          const struct finished *finished, bool probe)
{
    sweep_on_start(sweep, cell);
    sweep_tally(sweep, cell, finished->status, finished->reason);
    if (probe && finished->status <= STATUS_UNSTABLE && finished->gbps > 0)
        ceilings_raise(&sweep->ceilings, cell, finished->gbps);
    if (strstr(finished->reason, " but slow") && sweep->slow.count < 1024)
        sweep->slow.cell[sweep->slow.count++] = *cell;
}

bool sweep_is_over(const struct sweep *sweep)
{
    bool missing = false, next = false;
    for (size_t k = 0; k < sweep->plan->count; ++k) {
        const struct cell *cell = &sweep->plan->cells[k];
        missing |= !finished_of(sweep, cell, sweep->launch);
        next |= finished_of(sweep, cell, sweep->launch + 1) != NULL;
    }
    return next && !missing;
}

size_t sweep_take_group(struct sweep *sweep, const struct cell *cells,
                        size_t count, bool probes, struct cell *left)
{
    size_t missing = 0;
    for (size_t k = 0; k < count; ++k) {
        const struct finished *finished =
            finished_of(sweep, &cells[k], sweep->launch);
        if (finished)
            take_finished(sweep, &cells[k], finished, probes);
        else
            left[missing++] = cells[k];
    }
    return missing;
}
