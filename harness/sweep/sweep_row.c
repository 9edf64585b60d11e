/* SPDX-License-Identifier: MIT */
#include "harness/sweep/sweep_parts.h"

#include "harness/sweep/again.h"
#include "harness/measure/cache_assist.h"

#include "harness/device/nvml.h"

#include <stdio.h>

/* A probe at a rounded size may be a little slower; more is not explained. */
static const double above_ceiling_pct = 120;

void sweep_fill_row(const struct sweep *sweep, const struct cell *cell,
                    struct row *row)
{
    const struct worker *worker = sweep->worker;
    row->process = sweep->process;
    row->card = sweep->results.card;
    if (cell->ranks) {
        row->ranks = cell->ranks;
        row->gpus = cell_gpus(cell, &worker->facts);
    }
    row_set_ceiling(row, ceilings_gbps(&sweep->ceilings, cell));
    if (row->us.count &&
        cache_assists(&worker->facts, &worker->driver, cell, row->gbps))
        row->marks |= MARK_CACHE_ASSISTED;
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
                        const struct row *row)
{
    char text[64];
    if (!row->us.count)
        snprintf(text, sizeof text, "%s", status_name(row->status));
    else if (row->pct_ceiling > 0)
        snprintf(text, sizeof text, "%.*f us, %.0f %%", row->us.median < 1000,
                 row->us.median, row->pct_ceiling);
    else
        snprintf(text, sizeof text, "%.1f us, %.1f GB/s", row->us.median,
                 row->gbps);
    progress_result(&sweep->progress, cell, text);
}

void sweep_count(struct sweep *sweep, const struct cell *cell,
                 const struct outcome *outcome)
{
    const struct row *row = &outcome->row;
    sweep_tally(sweep, cell, row->status, outcome->reason);
    tell_result(sweep, cell, row);
    char again[AGAIN_BYTES];
    progress_problem(
        &sweep->progress, cell, outcome,
        again_text(sweep->options, sweep->worker->kind, cell, again));
    if (row->status == STATUS_SLOW)
        slow_add(&sweep->slow, cell, row->launch_us);
}

void sweep_on_start(void *context, const struct cell *cell)
{
    struct sweep *sweep = context;
    progress_cell(&sweep->progress, cell, sweep_estimate_ms(sweep, cell));
}
