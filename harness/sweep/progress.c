/* SPDX-License-Identifier: MIT */
#include "harness/sweep/progress.h"

#include "harness/plugins.h"
#include "src/base/clock.h"
#include "src/base/csv.h"
#include "src/choose/catalogue.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* -------------------------------------------------------------- terminals */

bool terminal_can_rewrite(int file)
{
    const char *terminal = getenv("TERM"), *ci = getenv("CI");
    return isatty(file) && terminal && strcmp(terminal, "dumb") != 0 &&
           !(ci && *ci);
}

int terminal_columns(int file)
{
    enum { LEAST = 40, DEFAULT = 100 };
    struct winsize size;
    const char *columns = getenv("COLUMNS");
    int wide = columns ? atoi(columns) : 0;
    if (wide <= 0 && ioctl(file, TIOCGWINSZ, &size) == 0)
        wide = size.ws_col;
    wide = wide > 0 ? wide : DEFAULT;
    return wide < LEAST ? LEAST : wide;
}

int terminal_room(int file)
{
    enum { ENDLESS = 1 << 20 };
    return isatty(file) || getenv("COLUMNS") ? terminal_columns(file) : ENDLESS;
}

/* ----------------------------------------------------------------- counts */

void tally_count(struct tally *tally, enum status status, const char *reason)
{
    if (status_is_sampled(status)) {
        ++tally->ok;
        tally->doubtful += status != STATUS_OK;
    } else if (status == STATUS_WRONG)
        ++tally->wrong;
    else if (status_is_failed(status))
        ++tally->failed;
    else if (tally->skipped++ == 0)
        snprintf(tally->why_skipped, sizeof tally->why_skipped, "%s", reason);
}

int tally_status(const struct tally *tally, const char *verb)
{
    if (tally->wrong || tally->failed)
        return EXIT_WRONG;
    if (tally->ok || !tally->skipped)
        return EXIT_OK;
    fprintf(stderr,
            "scanbench: nothing was %s: every cell was skipped (%d), the "
            "first: %s\n",
            verb, tally->skipped, tally->why_skipped);
    return EXIT_NOTHING;
}

static void count(struct progress *progress, const struct cell *cell,
                  enum status status, const char *reason)
{
    tally_count(&progress->tally, status, reason);
    if (cell->asked)
        tally_count(&progress->asked, status, reason);
}

int progress_status(const struct progress *progress, const char *verb)
{
    return progress->tally.wrong || progress->tally.failed
               ? EXIT_WRONG
               : tally_status(&progress->asked, verb);
}

/* --------------------------------------------------------------- failures */

static void put_number(const char *option, int number)
{
    if (number)
        fprintf(stderr, " --%s %d", option, number);
}

/* The command that runs this cell alone. */
static void put_command(const struct options *options, enum device_kind kind,
                        const struct cell *cell)
{
    char shape[SHAPE_TEXT_BYTES];
    const struct offsets by = cell->offset;
    fprintf(stderr, "scanbench %s", options_time(options) ? "run" : "check");
    if (kind == DEVICE_HOST)
        fputs(" --device host", stderr);
    else if (options->index)
        fprintf(stderr, " --device cuda:%d", options->index);
    if (options->broken)
        fputs(" --broken", stderr);
    for (int k = 0; k < options->plugin_count; ++k) {
        fputs(plugin_function(options->plugin_paths[k]) ? " --python"
                                                        : " --plugin",
              stderr);
        write_word(stderr, options->plugin_paths[k]);
    }
    fprintf(stderr, " --op %s --dtype %s --shape %s -f '/%s/'",
            op_name(cell->op), dtype_name(cell->dtype),
            shape_format(cell->shape, shape), cell->variant->name);
    put_number("ranks", cell->ranks);
    if (by.out || by.mask)
        fprintf(stderr, " --offset %d:%d:%d", by.all, by.out, by.mask);
    else
        put_number("offset", by.all);
    if (!options_time(options)) {
        put_number("repeat", options->repeats);
        put_number("blocks", cell->stress.blocks);
        put_number("room", cell->stress.room);
        put_number("streams", cell->stress.streams);
        for (int k = 0; contract_names[k]; ++k)
            if (cell->contracts >> k & 1)
                fprintf(stderr, " --contract %s", contract_names[k]);
    }
}

void progress_failure(const struct options *options, enum device_kind kind,
                      const struct cell *cell, const struct outcome *outcome)
{
    char id[CELL_ID_BYTES];
    fprintf(stderr, "%s: %s: %s\n", status_names[outcome->row.status],
            cell_id(cell, id), outcome->reason);
    if (!options)
        return;
    fputs("  again: ", stderr);
    put_command(options, kind, cell);
    fputc('\n', stderr);
}

/* --------------------------------------------------------------- progress */

/* Assumes that launches reach half the rate of the memory bus (10 GB/s if it is
 * unknown), and verifications a fortieth. */
double estimate_ms(const struct cell *cell, double budget_ms,
                   const struct worker *worker)
{
    const double bus = driver_bus_gbps(&worker->driver);
    const double gbps = bus > 0 ? bus : 10;
    const double bytes = (double)op_bytes(cell->op, cell->dtype, cell->shape);
    const double launch_ms =
        2 * bytes * variant_passes(cell->variant, cell->op) / (gbps * 1e6) +
        0.01;
    /* A sample is a flush, which reads twice the last-level cache, and a
     * launch. Four more are for warming up and the last check. */
    const double sample_ms =
        launch_ms + 2e-6 * (double)worker->facts.l2_bytes / gbps;
    const double least_ms = (STATS_LEAST_SAMPLES + 4) * sample_ms;
    const double measured_ms = budget_ms > least_ms ? budget_ms : least_ms;
    return 3 * 40 * bytes / (gbps * 1e6) + 3 * launch_ms +
           (cell->timed ? measured_ms : 0) + 1;
}

static double guess_ms(const struct progress *progress, const struct cell *cell)
{
    return estimate_ms(cell, progress->options->budget_ms, progress->worker);
}

void progress_start(struct progress *progress, const struct plan *plan,
                    const struct options *options, const struct worker *worker)
{
    const bool rewrites = terminal_can_rewrite(STDERR_FILENO);
    const double now_s = clock_s();
    *progress =
        (struct progress){ .options = options,
                           .worker = worker,
                           .total = plan->count * (size_t)options->processes,
                           .limit_s = options->time_limit_s,
                           .rewrites = !options->quiet && rewrites,
                           .lines = !options->quiet && !rewrites,
                           .start_s = now_s,
                           .line_s = now_s };
    for (size_t k = 0; k < plan->count; ++k)
        progress->all_ms +=
            guess_ms(progress, &plan->cells[k]) * options->processes;
}

double progress_seconds(const struct progress *progress)
{
    return clock_s() - progress->start_s;
}

double progress_left_s(const struct progress *progress, double spent_s)
{
    static const double trust = 0.05; /* the estimate's weight */
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

/* Ids and results are ASCII. An id is cut before a result. */
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
    const int now = last && !beside ? 0 : room - beside;
    snprintf(line + head, PROGRESS_LINE_BYTES - (size_t)head, "%.*s%s%s", now,
             progress->now, beside ? "; " : "", progress->last);
    if (columns < PROGRESS_LINE_BYTES)
        line[columns > 0 ? columns : 0] = '\0';
    return line;
}

static void show(struct progress *progress)
{
    char line[PROGRESS_LINE_BYTES];
    const double now_s = clock_s(), spent_s = now_s - progress->start_s;
    const int columns = terminal_columns(STDERR_FILENO);
    if (progress->rewrites) {
        /* A full line would wrap where the terminal is that wide. */
        fprintf(stderr, "\r\033[K%s",
                progress_line(progress, spent_s, columns - 1, line));
        fflush(stderr);
    } else if (progress->lines && now_s - progress->line_s >= PROGRESS_LINE_S) {
        fprintf(stderr, "%s\n",
                progress_line(progress, spent_s, columns, line));
        progress->line_s = now_s;
    }
}

void progress_cell(struct progress *progress, const struct cell *cell)
{
    ++progress->done;
    cell_id(cell, progress->now);
    show(progress);
    progress->done_ms += guess_ms(progress, cell);
}

void progress_passed(struct progress *progress, const struct cell *cell,
                     const struct row *row)
{
    count(progress, cell, row->status, row->reason);
    ++progress->done;
    progress->all_ms -= guess_ms(progress, cell);
}

void progress_done(struct progress *progress, const struct cell *cell,
                   const struct outcome *outcome)
{
    char result[64];
    const struct row *row = &outcome->row;
    count(progress, cell, row->status, outcome->reason);
    if (!row->us.count)
        snprintf(result, sizeof result, "%s", status_names[row->status]);
    else if (row->pct_ceiling > 0)
        snprintf(result, sizeof result, "%.*f us, %.0f %%",
                 row->us.median < 1000, row->us.median, row->pct_ceiling);
    else
        snprintf(result, sizeof result, "%.1f us, %.1f GB/s", row->us.median,
                 row->gbps);
    snprintf(progress->last, sizeof progress->last, "%.100s %.60s",
             cell->variant->name, result);
    show(progress);
    if (!status_is_failed(row->status))
        return;
    progress_end(progress);
    progress_failure(progress->options, progress->worker->kind, cell, outcome);
}

void progress_end(struct progress *progress)
{
    if (progress->rewrites) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
    }
}
