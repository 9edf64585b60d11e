/* SPDX-License-Identifier: MIT */
#include "src/runs/run_cell.h"

#include <math.h>

/* The variance if both arms of the interval were as long as the longer. */
static double own_variance(double median_us, double low_us, double high_us)
{
    if (!(low_us > 0 && low_us <= median_us && high_us >= median_us))
        return NAN;
    double arm = fmax(log(median_us / low_us), log(high_us / median_us));
    return arm / 1.96 * (arm / 1.96);
}

void timing_add(struct timing *timing, double median_us, double low_us,
                double high_us)
{
    double x = log(median_us), off = x - timing->log_mean;
    timing->processes += 1;
    timing->log_mean += off / (double)timing->processes;
    timing->log_squares += off * (x - timing->log_mean);
    timing->own_variances += own_variance(median_us, low_us, high_us);
}

double timing_sd(const struct timing *timing)
{
    return timing->processes > 1
               ? sqrt(timing->log_squares / (double)(timing->processes - 1))
               : NAN;
}

/* -------------------------------------------------------------------- cells */

/* Sums of logarithms over processes, for geometric means. */
struct sums {
    struct timing timing, over_ceiling;
    double log_gbps, log_pct;
};

static void add(struct sums *sums, const struct row *row)
{
    timing_add(&sums->timing, row->us.median, row->us.ci_low, row->us.ci_high);
    const double each_us = 100 / row->pct_ceiling / row->us.median;
    timing_add(&sums->over_ceiling, each_us * row->us.median,
               each_us * row->us.ci_low, each_us * row->us.ci_high);
    sums->log_gbps += log(row->gbps);
    sums->log_pct += log(row->pct_ceiling);
}

static void set_time(struct run_cell *cell, const struct sums *sums)
{
    const double processes = (double)sums->timing.processes;
    cell->timing = sums->timing;
    cell->over_ceiling = sums->over_ceiling;
    cell->us = processes > 0 ? exp(sums->timing.log_mean) : NAN;
    cell->gbps = exp(sums->log_gbps / processes); /* NaN without a process */
    cell->pct_ceiling = exp(sums->log_pct / processes);
    cell->ceiling_gbps = 100 * cell->gbps / cell->pct_ceiling;
    if (sums->timing.processes)
        cell->dropped = cell->rows - sums->timing.processes;
}

struct run_cell run_cell_of(const struct row *rows, size_t *count)
{
    static const struct sums none;
    struct run_cell cell = { .row = rows,
                             .status = rows->status,
                             .reason = rows->reason,
                             .max_err = NAN,
                             .err_bound = NAN };
    struct sums sound = { 0 }, unstable = { 0 };
    for (; cell.rows < *count; ++cell.rows) {
        const struct row *row = &rows[cell.rows];
        if (run_cell_order(rows, row))
            break;
        if (status_gravities[row->status] > status_gravities[cell.status]) {
            cell.status = row->status;
            cell.reason = row->reason;
        }
        cell.marks |= row->marks % MARK_CONTRACTS;
        cell.max_err = fmax(cell.max_err, row->max_err);
        cell.err_bound = fmax(cell.err_bound, row->err_bound);
        if (run_row_timed(row))
            add(&sound, row);
        if (row->status == STATUS_UNSTABLE && row->us.median > 0)
            add(&unstable, row);
    }
    *count = cell.rows;
    cell.sound = sound.timing.processes;
    set_time(&cell, status_is_failed(cell.status) ? &none
                    : cell.sound                  ? &sound
                                                  : &unstable);
    return cell;
}

bool run_cell_timed(const struct run_cell *cell)
{
    return cell->sound > 0 && !status_is_failed(cell->status);
}
