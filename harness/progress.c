/* SPDX-License-Identifier: MIT */
#include "harness/progress.h"
#include "src/base/clock.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void progress_start(struct progress *progress, size_t total, bool quiet,
                    double limit_s)
{
    const char *terminal = getenv("TERM"), *ci = getenv("CI");
    *progress = (struct progress){ .total = total,
                                   .start_s = clock_s(),
                                   .limit_s = limit_s };
    progress->shown = !quiet && isatty(STDERR_FILENO) && terminal &&
                      strcmp(terminal, "dumb") != 0 && !(ci && *ci);
}

double progress_seconds(const struct progress *progress)
{
    return clock_s() - progress->start_s;
}

void progress_cell(struct progress *progress, const struct cell *cell)
{
    char id[CELL_ID_BYTES];
    if (progress->shown) {
        const double spent = progress_seconds(progress);
        const double all = progress->done ? spent / (double)progress->done *
                                                (double)progress->total
                                          : 0;
        const double left = fmax(fmin(all, progress->limit_s) - spent, 0);
        fprintf(stderr, "\r\033[K[%zu/%zu, %d:%02d left] %s",
                progress->done + 1, progress->total, (int)left / 60,
                (int)left % 60, cell_id(cell, id));
        fflush(stderr);
    }
    ++progress->done;
}

void progress_problem(struct progress *progress, const struct cell *cell,
                      const struct outcome *outcome)
{
    char id[CELL_ID_BYTES];
    if (!status_is_failed(outcome->status))
        return;
    fprintf(stderr, "%s%s: %s: %s\n", progress->shown ? "\r\033[K" : "",
            status_name(outcome->status), cell_id(cell, id), outcome->reason);
}

void progress_end(struct progress *progress)
{
    if (progress->shown)
        fputs("\r\033[K", stderr);
}
