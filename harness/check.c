/* SPDX-License-Identifier: MIT */
#include "harness/check.h"

#include "harness/progress.h"
#include "harness/tally.h"

#include <stdio.h>

int check_all(const struct plan *plan, const struct options *options,
              struct worker *worker)
{
    struct tally tally = { 0 };
    struct progress progress;
    bool finished = true;
    progress_start(&progress, plan->count, options->quiet);
    for (size_t k = 0; k < plan->count && finished; ++k) {
        struct outcome outcome;
        progress_cell(&progress, &plan->cells[k]);
        finished =
            worker_run(worker, &plan->cells[k], options->timeout_s, &outcome);
        if (!finished)
            break;
        tally_count(&tally, outcome.status);
        progress_problem(&progress, &plan->cells[k], &outcome);
    }
    progress_end(&progress);
    printf("%d passed, %d failed, %d skipped\n", tally.ok,
           tally.wrong + tally.failed, tally.skipped);
    if (!finished)
        return worker_interrupted ? EXIT_INTERRUPTED : EXIT_BAD;
    return tally.wrong || tally.failed ? EXIT_WRONG : EXIT_OK;
}

/* Runs the cells of one variant and op until one is caught. */
static bool hunt(const struct plan *plan, size_t first,
                 const struct options *options, struct worker *worker,
                 struct outcome *outcome, bool *caught)
{
    const struct cell *like = &plan->cells[first];
    *caught = false;
    for (size_t k = first; k < plan->count && !*caught; ++k) {
        const struct cell *cell = &plan->cells[k];
        if (cell->variant != like->variant || cell->op != like->op)
            continue;
        if (!worker_run(worker, cell, options->timeout_s, outcome))
            return false;
        *caught = outcome->status >= STATUS_WRONG;
        if (*caught)
            progress_problem(&(struct progress){ 0 }, cell, outcome);
    }
    return true;
}

/* True if an earlier cell has the same variant and op. */
static bool seen_before(const struct plan *plan, size_t at)
{
    for (size_t k = 0; k < at; ++k)
        if (plan->cells[k].variant == plan->cells[at].variant &&
            plan->cells[k].op == plan->cells[at].op)
            return true;
    return false;
}

int check_must_fail(const struct plan *plan, const struct options *options,
                    struct worker *worker)
{
    int caught_count = 0, missed = 0;
    for (size_t k = 0; k < plan->count; ++k) {
        struct outcome outcome;
        bool caught;
        if (seen_before(plan, k))
            continue;
        if (!hunt(plan, k, options, worker, &outcome, &caught))
            return worker_interrupted ? EXIT_INTERRUPTED : EXIT_BAD;
        caught_count += caught;
        missed += !caught;
        if (!caught)
            fprintf(stderr, "not caught: %s/%s\n", op_name(plan->cells[k].op),
                    plan->cells[k].variant->name);
    }
    printf("%d passed, %d failed, 0 skipped\n", caught_count, missed);
    return missed ? EXIT_WRONG : EXIT_OK;
}
