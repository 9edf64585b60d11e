/* SPDX-License-Identifier: MIT */
#include "src/runs/run_cell.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* From the mildest to the gravest: one timed process makes a skipped cell
 * timed, and one wrong process makes it wrong. */
static int gravity(enum status status)
{
    static const int of[STATUS_COUNT] = {
        [STATUS_SKIP] = 0,    [STATUS_UNTRIED] = 1, [STATUS_SLOW] = 2,
        [STATUS_OK] = 3,      [STATUS_SUSPECT] = 4, [STATUS_UNSTABLE] = 5,
        [STATUS_TIMEOUT] = 6, [STATUS_ERROR] = 7,   [STATUS_WRONG] = 8,
    };
    return of[status];
}

/* Sums over processes: of the logarithms, for geometric means. */
struct sums {
    struct timing timing, over_ceiling;
    double log_gbps, log_ceiling, log_pct, log_exchange;
};

static void add(struct sums *sums, const struct run_row *row)
{
    timing_add(&sums->timing, row->median_us, row->low_us, row->high_us);
    const double each_us = 100 / row->pct_ceiling / row->median_us;
    timing_add(&sums->over_ceiling, each_us * row->median_us,
               each_us * row->low_us, each_us * row->high_us);
    sums->log_gbps += log(row->gbps);
    sums->log_ceiling += log(row->ceiling_gbps);
    sums->log_pct += log(row->pct_ceiling);
    sums->log_exchange += log(row->exchange_us);
}

static void set_time(struct run_cell *cell, const struct sums *sums)
{
    const double processes = (double)sums->timing.processes;
    cell->timing = sums->timing;
    cell->over_ceiling = sums->over_ceiling;
    cell->us = timing_us(&sums->timing);
    cell->gbps = exp(sums->log_gbps / processes); /* NaN of none */
    cell->ceiling_gbps = exp(sums->log_ceiling / processes);
    cell->pct_ceiling = exp(sums->log_pct / processes);
    cell->exchange_us = exp(sums->log_exchange / processes);
    if (sums->timing.processes)
        cell->dropped = cell->rows - sums->timing.processes;
}

struct run_cell run_cell_of(const struct run_row *rows, size_t *count)
{
    static const struct sums none;
    struct run_cell cell = { .row = rows,
                             .status = rows->status,
                             .reason = rows->reason };
    struct sums sound = { 0 }, unstable = { 0 };
    for (; cell.rows < *count; ++cell.rows) {
        const struct run_row *row = &rows[cell.rows];
        if (run_cell_order(rows, row))
            break;
        if (gravity(row->status) > gravity(cell.status)) {
            cell.status = row->status;
            cell.reason = row->reason;
        }
        /* What one process is marked with, the cell is. */
        row_add_marks(cell.marks, sizeof cell.marks, row->marks);
        if (run_row_timed(row))
            add(&sound, row);
        cell.unstable += row->status == STATUS_UNSTABLE;
        if (row->status == STATUS_UNSTABLE && row->median_us > 0)
            add(&unstable, row);
    }
    *count = cell.rows;
    cell.sound = sound.timing.processes;
    set_time(&cell, run_cell_failed(&cell) ? &none
                    : cell.sound           ? &sound
                                           : &unstable);
    return cell;
}

bool run_cell_timed(const struct run_cell *cell)
{
    return cell->sound > 0 && !run_cell_failed(cell);
}

bool run_cell_failed(const struct run_cell *cell)
{
    return status_is_failed(cell->status);
}

bool run_cell_marked(const struct run_cell *cell, const char *mark)
{
    return row_has_mark(cell->marks, mark);
}

const char *run_cell_marks(const struct run_cell *cell)
{
    return *cell->marks ? cell->marks : "none";
}
