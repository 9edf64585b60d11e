/* SPDX-License-Identifier: MIT */
#include "src/analyse/warnings.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* The ceilings moved by more than this, in per cent. */
#define DRIFT_PCT 2
/* Half of a cell's 95 % interval is more than this share of its time. */
#define WIDE 0.05
/* Other processes took more than this of the host's processors, in per cent: if
 * the host is measured itself, and if it drives a GPU. */
#define BUSY_HOST_PCT 5
#define BUSY_GPU_PCT 50

void note(struct notes *notes, const char *format, ...)
{
    va_list arguments;
    if (notes->count == NOTES_MOST)
        return;
    va_start(arguments, format);
    vsnprintf(notes->text[notes->count++], NOTE_BYTES, format, arguments);
    va_end(arguments);
}

struct counts {
    size_t failed, timed, doubtful, wide, alone, above, throttled;
    double discarded; /* a double, as a file may hold any integers */
    double widest;
    const struct row *widest_row;
    const char *why; /* the reason for the lower clocks */
};

static void count_cell(struct counts *counts, const struct run_cell *cell)
{
    counts->failed += status_is_failed(cell->status);
    if (!standing_timed(cell))
        return;
    const double half = exp(standing_arm(cell)) - 1;
    ++counts->timed;
    counts->doubtful +=
        cell->status == STATUS_SUSPECT || cell->status == STATUS_UNSTABLE;
    counts->above += (cell->marks & MARK_ABOVE_CEILING) != 0;
    counts->alone += cell->timing.processes == 1;
    counts->wide += half > WIDE;
    if (half > counts->widest) {
        counts->widest = half;
        counts->widest_row = cell->row;
    }
    for (size_t r = 0; r < cell->rows; ++r) {
        const struct row *row = &cell->row[r];
        counts->discarded += fmax((double)row->discarded, 0);
        if (row->discarded > 0 || row->status == STATUS_UNSTABLE) {
            ++counts->throttled;
            counts->why = *row->throttle ? row->throttle : counts->why;
        }
    }
}

static void warn_of_times(struct notes *warnings, const struct counts *counts)
{
    char shape[SHAPE_TEXT_BYTES];
    if (counts->throttled)
        note(warnings,
             "the GPU lowered its clocks%s%.60s (rows: %zu; samples thrown "
             "away: %.0f)",
             counts->why ? ": " : "", counts->why ? counts->why : "",
             counts->throttled, counts->discarded);
    if (counts->doubtful)
        note(warnings,
             "%zu of %zu timed cells are unstable or suspect, marked ? (the "
             "column reason says why)",
             counts->doubtful, counts->timed);
    if (counts->wide)
        note(warnings,
             "%zu of %zu timed cells are known to no better than %.0f %%; the "
             "widest, to %.0f %%: %s/%.80s/%s/%s",
             counts->wide, counts->timed, 100 * WIDE, 100 * counts->widest,
             op_name(counts->widest_row->op), counts->widest_row->variant,
             dtype_name(counts->widest_row->dtype),
             shape_format(counts->widest_row->shape, shape));
    if (counts->above)
        note(warnings,
             "cells above 120 %% of their ceiling, where a share means "
             "nothing: %zu",
             counts->above);
    if (counts->timed && counts->alone == counts->timed)
        note(warnings, "one process: how far another would differ is unknown "
                       "(--processes 5)");
}

struct notes warnings_of(const struct run_folder *run)
{
    struct notes warnings = { .count = 0 };
    struct counts counts = { .failed = 0 };
    const double drift = run_fact_number(run, "ceiling_drift_pct");
    const double busy = run_fact_number(run, "host_busy_pct");
    const bool host = strcmp(run_fact(run, "device_kind"), "host") == 0;
    for (size_t r = 0, rows; r < run->rows.count; r += rows) {
        rows = run->rows.count - r;
        const struct run_cell cell = run_cell_of(&run->rows.row[r], &rows);
        count_cell(&counts, &cell);
    }
    if (counts.failed)
        note(&warnings, "cells that were wrong, failed or hung: %zu",
             counts.failed);
    if (strcmp(run_fact(run, "complete"), "0") == 0)
        note(&warnings, "the run did not come to its end: cells are missing");
    if (run->damaged)
        note(&warnings, "damaged lines or files that were left out: %zu",
             run->damaged);
    if (fabs(drift) > DRIFT_PCT)
        note(&warnings,
             "the ceilings moved by %+.1f %% while it ran: something else used "
             "the machine, or its clocks changed",
             drift);
    if (busy > (host ? BUSY_HOST_PCT : BUSY_GPU_PCT))
        note(
            &warnings,
            "the host was busy: other processes took %.0f %% of its processors",
            busy);
    warn_of_times(&warnings, &counts);
    if (strcmp(run_fact(run, "dirty"), "1") == 0)
        note(&warnings,
             "the tree had changes: its commit does not say what was measured");
    return warnings;
}
