/* SPDX-License-Identifier: MIT */
#include "harness/sweep/progress.h"

#include "harness/sweep/terminal.h"
#include "src/base/clock.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void progress_start(struct progress *progress, size_t total, double all_ms,
                    bool quiet, double limit_s)
{
    const bool rewrites = terminal_can_rewrite(STDERR_FILENO);
    const double now_s = clock_s();
    *progress = (struct progress){ .total = total,
                                   .all_ms = all_ms,
                                   .limit_s = limit_s,
                                   .rewrites = !quiet && rewrites,
                                   .lines = !quiet && !rewrites,
                                   .start_s = now_s,
                                   .line_s = now_s };
}

double progress_seconds(const struct progress *progress)
{
    return clock_s() - progress->start_s;
}

double progress_left_s(const struct progress *progress, double spent_s)
{
    static const double trust = 0.05; /* of all: worth as much as measured */
    const double all_s = 1e-3 * progress->all_ms;
    const double done_s = 1e-3 * progress->done_ms;
    const double left_s = all_s > done_s ? all_s - done_s : 0;
    const double known_s = trust * all_s;
    const double s =
        known_s > 0 ? left_s * (spent_s + known_s) / (done_s + known_s) : 0;
    return fmax(fmin(s, progress->limit_s - spent_s), 0); /* NaN: no limit */
}

static char *clock_text(double seconds, char text[32])
{
    const long all = (long)(seconds + 0.5);
    if (all >= 3600)
        snprintf(text, 32, "%ld:%02ld:%02ld", all / 3600, all / 60 % 60,
                 all % 60);
    else
        snprintf(text, 32, "%ld:%02ld", all / 60, all % 60);
    return text;
}

/* Ids and results are ASCII, a byte per column. An id is cut before a result.
 */
char *progress_line(const struct progress *progress, double spent_s,
                    int columns, char line[PROGRESS_LINE_BYTES])
{
    char left[32];
    const int head = snprintf(
        line, PROGRESS_LINE_BYTES, "[%zu/%zu, %s left] ", progress->done,
        progress->total, clock_text(progress_left_s(progress, spent_s), left));
    const int room = columns - head;
    const int last = (int)strlen(progress->last);
    const int beside = last && room - last - 2 >= 12 ? last + 2 : 0;
    if (last && !beside)
        snprintf(line + head, PROGRESS_LINE_BYTES - (size_t)head, "%s",
                 progress->last);
    else
        snprintf(line + head, PROGRESS_LINE_BYTES - (size_t)head, "%.*s%s%s",
                 room - beside, progress->now, beside ? "; " : "",
                 progress->last);
    if (columns < PROGRESS_LINE_BYTES)
        line[columns > 0 ? columns : 0] = '\0';
    return line;
}

static void show(struct progress *progress)
{
    char line[PROGRESS_LINE_BYTES];
    const double now_s = clock_s(), spent_s = now_s - progress->start_s;
    if (progress->rewrites) {
        /* A full line would wrap where the terminal is that wide. */
        fprintf(stderr, "\r\033[K%s",
                progress_line(progress, spent_s,
                              terminal_columns(STDERR_FILENO) - 1, line));
        fflush(stderr);
    } else if (progress->lines && now_s - progress->line_s >= PROGRESS_LINE_S) {
        fprintf(stderr, "%s\n",
                progress_line(progress, spent_s,
                              terminal_columns(STDERR_FILENO), line));
        progress->line_s = now_s;
    }
}

void progress_cell(struct progress *progress, const struct cell *cell,
                   double ms)
{
    ++progress->done;
    cell_id(cell, progress->now);
    show(progress);
    progress->done_ms += ms;
}

void progress_passed(struct progress *progress, double ms)
{
    ++progress->done;
    progress->all_ms -= ms;
}

void progress_result(struct progress *progress, const struct cell *cell,
                     const char *result)
{
    snprintf(progress->last, sizeof progress->last, "%.100s %.60s",
             cell->variant->name, result);
    show(progress);
}

void progress_problem(struct progress *progress, const struct cell *cell,
                      const struct outcome *outcome, const char *repeat)
{
    char id[CELL_ID_BYTES];
    if (!status_is_failed(outcome->row.status))
        return;
    fprintf(stderr, "%s%s: %s: %s\n", progress->rewrites ? "\r\033[K" : "",
            status_name(outcome->row.status), cell_id(cell, id),
            outcome->reason);
    if (repeat)
        fprintf(stderr, "  again: %s\n", repeat);
}

void progress_end(struct progress *progress)
{
    if (progress->rewrites)
        fputs("\r\033[K", stderr);
}

/* Assumes half of the memory bus (10 GB/s if it is unknown) for a launch, and a
 * fortieth for a verification. */
double estimate_ms(const struct cell *cell, double budget_ms,
                   const struct device_facts *facts,
                   const struct driver_facts *driver)
{
    const double bus = driver_bus_gbps(driver);
    const double gbps = bus > 0 ? bus : 10;
    const double bytes = (double)op_bytes(cell->op, cell->dtype, cell->shape);
    const double launch_ms =
        2 * bytes * variant_passes(cell->variant, cell->op) / (gbps * 1e6) +
        0.01;
    /* A sample is a flush, which reads twice the last-level cache, and a
     * launch. Four more precede them or are for the last check. */
    const double sample_ms = launch_ms + 2e-6 * (double)facts->l2_bytes / gbps;
    const double least_ms = (STATS_LEAST_SAMPLES + 4) * sample_ms;
    const double measured_ms = budget_ms > least_ms ? budget_ms : least_ms;
    return 3 * 40 * bytes / (gbps * 1e6) + 3 * launch_ms +
           (cell->timed ? measured_ms : 0) + 1;
}
