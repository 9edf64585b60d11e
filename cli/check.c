/* SPDX-License-Identifier: MIT */
#include "cli/common/commands.h"

#include "harness/sweep/again.h"
#include "harness/sweep/plan.h"
#include "cli/common/options_parts.h"
#include "harness/measure/measure.h"
#include "harness/sweep/progress.h"
#include "harness/measure/repeat.h"
#include "harness/sweep/tally.h"
#include "variants/registry.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_HUNG = 32 };

struct checking {
    const struct options *options;
    const struct worker *worker;
    struct progress progress;
    struct tally tally;
    const struct variant *hung[MOST_HUNG];
    int hung_count, untried; /* cells of those that hung */
};

static double ms_of(const struct checking *checking, const struct cell *cell)
{
    return estimate_ms(cell, 0, &checking->worker->facts,
                       &checking->worker->driver);
}

static void on_start(void *context, const struct cell *cell)
{
    struct checking *checking = context;
    progress_cell(&checking->progress, cell, ms_of(checking, cell));
}

static bool on_done(void *context, const struct cell *cell,
                    struct outcome *outcome)
{
    struct checking *checking = context;
    tally_count(&checking->tally, outcome->row.status, outcome->reason);
    if (outcome->row.status == STATUS_TIMEOUT &&
        checking->hung_count < MOST_HUNG)
        checking->hung[checking->hung_count++] = cell->variant;
    progress_result(&checking->progress, cell,
                    status_name(outcome->row.status));
    char again[AGAIN_BYTES];
    progress_problem(
        &checking->progress, cell, outcome,
        again_text(checking->options, checking->worker->kind, cell, again));
    return true;
}

static struct measure measure_of(const struct options *options,
                                 struct worker *worker)
{
    return (struct measure){ .worker = worker,
                             .timeout_s = options->timeout_s,
                             .secret = measure_secret(),
                             .nonfinite = true,
                             .repeats = options->repeats,
                             .empty_us = { NAN, NAN } };
}

static bool has_hung(const struct checking *checking,
                     const struct variant *variant)
{
    for (int k = 0; k < checking->hung_count; ++k)
        if (checking->hung[k] == variant)
            return true;
    return false;
}

/* Copies the cells but those of a variant that hung: waiting for each of them
 * could take hours, and the others' turn comes in the same process. */
static size_t keep_sound(struct checking *checking, const struct cell *cells,
                         size_t count, struct cell *kept)
{
    size_t used = 0;
    for (size_t k = 0; k < count; ++k)
        if (has_hung(checking, cells[k].variant))
            ++checking->untried;
        else
            kept[used++] = cells[k];
    return used;
}

static bool check_groups(const struct plan *plan, struct measure *measure,
                         struct checking *checking)
{
    struct outcome *outcomes = calloc(plan->count, sizeof *outcomes);
    struct cell *kept = calloc(plan->count, sizeof *kept);
    bool ok = outcomes && kept;
    for (size_t first = 0; ok && first < plan->count;) {
        const struct cell *cells = plan->cells + first;
        const size_t count = cells_of_problem(cells, plan->count - first);
        const size_t sound = keep_sound(checking, cells, count, kept);
        ok = sound == 0 || measure_group(measure, kept, sound, outcomes);
        first += count;
    }
    free(kept);
    free(outcomes);
    return ok;
}

static bool can_stress(const struct options *options,
                       const struct worker *worker)
{
    if (!stress_any(&options->stress) || device_of(worker->kind)->stressed)
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
    if (!can_stress(options, worker))
        return EXIT_BAD;
    struct checking checking = { .options = options, .worker = worker };
    struct measure measure = measure_of(options, worker);
    measure.starts = on_start;
    measure.done = on_done;
    measure.context = &checking;
    double all_ms = 0;
    for (size_t k = 0; k < plan->count; ++k)
        all_ms += ms_of(&checking, &plan->cells[k]);
    progress_start(&checking.progress, plan->count, all_ms, options->quiet,
                   options->time_limit_s);
    const bool finished = check_groups(plan, &measure, &checking);
    progress_end(&checking.progress);
    const struct tally *tally = &checking.tally;
    if (measure.repeated)
        tell_repeats(&measure);
    if (checking.untried)
        fprintf(stderr,
                "scanbench: %d more cells of what hung were not tried\n",
                checking.untried);
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
        *caught = status_is_failed(outcome.row.status);
        if (*caught)
            progress_problem(&(struct progress){ 0 }, cell, &outcome, NULL);
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

/* Counts what of the plan was caught and what was not; false if an interrupt
 * came or the device is lost. */
static bool hunt_all(const struct plan *plan, struct measure *measure,
                     int *caught_count, int *missed)
{
    for (size_t k = 0; k < plan->count; ++k) {
        bool caught;
        if (seen_before(plan, k))
            continue;
        if (!hunt(plan, k, measure, &caught))
            return false;
        *caught_count += caught;
        *missed += !caught;
        if (!caught)
            fprintf(stderr, "not caught: %s/%s\n", op_name(plan->cells[k].op),
                    plan->cells[k].variant->name);
    }
    return true;
}

/* One family, in the way that its record says shows the bug. */
static bool hunt_family(const struct family *family,
                        const struct options *options, struct worker *worker,
                        int *caught_count, int *missed)
{
    struct options shown = *options;
    struct plan plan;
    shown.filter.family = family->id;
    if (family->shown && !options_add(&shown, family->shown))
        return false;
    struct measure measure = measure_of(&shown, worker);
    const bool ok = plan_make(&plan, &shown, worker->kind) &&
                    (plan.count == 0 || can_stress(&shown, worker)) &&
                    hunt_all(&plan, &measure, caught_count, missed);
    plan_free(&plan);
    return ok;
}

int check_must_fail(const struct options *options, struct worker *worker)
{
    int caught_count = 0, missed = 0;
    for (const struct family *f = plan_families(options); f->id; ++f)
        if (!f->sound && plan_has_family(options, f) &&
            !hunt_family(f, options, worker, &caught_count, &missed))
            return worker_interrupted ? EXIT_INTERRUPTED : EXIT_BAD;
    printf("%d passed, %d failed, 0 skipped\n", caught_count, missed);
    return missed ? EXIT_WRONG : EXIT_OK;
}
