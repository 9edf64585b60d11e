/* SPDX-License-Identifier: MIT */
#include "harness/cli/check.h"

#include "harness/measure.h"
#include "harness/progress.h"
#include "harness/repeat.h"
#include "harness/tally.h"
#include "variants/registry.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct checking {
    struct progress progress;
    struct tally tally;
};

static void on_start(void *context, const struct cell *cell)
{
    progress_cell(&((struct checking *)context)->progress, cell);
}

static bool on_done(void *context, const struct cell *cell,
                    struct outcome *outcome)
{
    struct checking *checking = context;
    tally_count(&checking->tally, outcome->status, outcome->reason);
    progress_problem(&checking->progress, cell, outcome);
    return true;
}

static struct measure measure_of(const struct options *options,
                                 struct worker *worker)
{
    return (struct measure){ .worker = worker,
                             .timeout_s = options->timeout_s,
                             .repeats = options->repeats,
                             .empty_us = { NAN, NAN } };
}

static bool check_groups(const struct plan *plan, struct measure *measure)
{
    struct outcome *outcomes = calloc(plan->count, sizeof *outcomes);
    bool ok = outcomes != NULL;
    for (size_t first = 0; ok && first < plan->count;) {
        const struct cell *cells = plan->cells + first;
        const size_t count = measure_group_size(cells, plan->count - first);
        ok = measure_group(measure, cells, count, outcomes);
        first += count;
    }
    free(outcomes);
    return ok;
}

static bool can_strain(const struct options *options,
                       const struct worker *worker)
{
    if (!strain_any(&options->strain) || device_of(worker->kind)->strained)
        return true;
    fprintf(stderr, "scanbench: --blocks, --room and --streams are for GPUs\n");
    return false;
}

static void tell_repeats(const struct measure *measure)
{
    fprintf(stderr,
            "scanbench: %d cells launched up to %d times more, each at least "
            "%d times\n",
            measure->repeated, measure->repeats, measure->least);
    if (measure->cut_short)
        fprintf(stderr,
                "scanbench: %d of them fewer times than that: a cell is left "
                "after %g s, but not before %d launches\n",
                measure->cut_short, REPEAT_ENOUGH_S, REPEAT_LEAST);
}

int check_all(const struct plan *plan, const struct options *options,
              struct worker *worker)
{
    if (!can_strain(options, worker))
        return EXIT_BAD;
    struct checking checking = { 0 };
    struct measure measure = measure_of(options, worker);
    measure.starts = on_start;
    measure.done = on_done;
    measure.context = &checking;
    progress_start(&checking.progress, plan->count, options->quiet);
    const bool finished = check_groups(plan, &measure);
    progress_end(&checking.progress);
    const struct tally *tally = &checking.tally;
    if (measure.repeated)
        tell_repeats(&measure);
    printf("%d passed, %d failed, %d skipped\n", tally->ok,
           tally->wrong + tally->failed, tally->skipped);
    if (worker_interrupted)
        fprintf(stderr, "scanbench: interrupted\n");
    if (!finished)
        return worker_interrupted ? EXIT_INTERRUPTED : EXIT_BAD;
    return tally_status(tally, "checked");
}

/* Runs the cells of one variant and op until one is caught. */
static bool hunt(const struct plan *plan, size_t first, struct measure *measure,
                 bool *caught)
{
    const struct cell *like = &plan->cells[first];
    *caught = false;
    for (size_t k = first; k < plan->count && !*caught; ++k) {
        struct outcome outcome;
        const struct cell *cell = &plan->cells[k];
        if (cell->variant != like->variant || cell->op != like->op)
            continue;
        if (!measure_group(measure, cell, 1, &outcome))
            return false;
        *caught = status_is_failed(outcome.status);
        if (*caught)
            progress_problem(&(struct progress){ 0 }, cell, &outcome);
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

/* True of what is for tests, but has nothing to be caught. */
static bool is_sound(const struct variant *variant)
{
    for (const struct family *f = registry_broken; f->id; ++f)
        for (const struct variant *v = f->variants; f->sound && v->name; ++v)
            if (v == variant)
                return true;
    return false;
}

int check_must_fail(const struct plan *plan, const struct options *options,
                    struct worker *worker)
{
    if (!can_strain(options, worker))
        return EXIT_BAD;
    int caught_count = 0, missed = 0;
    struct measure measure = measure_of(options, worker);
    for (size_t k = 0; k < plan->count; ++k) {
        bool caught;
        if (seen_before(plan, k) || is_sound(plan->cells[k].variant))
            continue;
        if (!hunt(plan, k, &measure, &caught))
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
