/* SPDX-License-Identifier: MIT */
#include "harness/sweep/profile.h"
#include "src/base/exit_status.h"

#include <stdio.h>

int profile_run(const struct plan *plan, const struct options *options,
                struct worker *worker)
{
    char id[CELL_ID_BYTES];
    struct job_result report;
    struct job job = { .kind = JOB_PROFILE, .cell = plan->cells[0] };
    cell_id(&job.cell, id);
    if (!worker_do(worker, &job, options->timeout_s, &report))
        return EXIT_INTERRUPTED;
    if (report.status != STATUS_OK) {
        fprintf(stderr, "scanbench: %s: %s: %s\n", status_name(report.status),
                id, report.reason);
        return report.status == STATUS_SKIP ? EXIT_NOTHING : EXIT_WRONG;
    }
    fprintf(stderr, "scanbench: %s: one launch, not verified\n", id);
    return EXIT_OK;
}
