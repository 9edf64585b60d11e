/* SPDX-License-Identifier: MIT */
#include "cli/common/commands.h"

#include "cli/common/options_parts.h"
#include "cli/common/rows.h"
#include "harness/measure/measure.h"
#include "harness/sweep/plan.h"
#include "harness/sweep/progress.h"
#include "src/base/exit.h"
#include "src/base/memory.h"
#include "src/runs/run_cell.h"
#include "variants/registry.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_HUNG = 32, REPEATS_ASKED = 20 };

struct checking {
    struct progress progress;
    struct records records; /* for --format json */
    const struct variant *hung[MOST_HUNG];
    int hung_count, untried; /* cells of variants that hung */
};

static void on_start(void *context, const struct cell *cell)
{
    struct checking *checking = context;
    progress_cell(&checking->progress, cell);
}

static bool on_done(void *context, const struct cell *cell,
                    struct outcome *outcome)
{
    struct checking *checking = context;
    if (outcome->row.status == STATUS_TIMEOUT &&
        checking->hung_count < MOST_HUNG)
        checking->hung[checking->hung_count++] = cell->variant;
    progress_done(&checking->progress, cell, outcome);
    size_t one = 1;
    outcome->row.reason = outcome->reason;
    outcome->row.family = NULL; /* derived from the variant instead */
    const struct run_cell done = run_cell_of(&outcome->row, &one);
    if (checking->records.json)
        record_run_cell(&checking->records, &done);
    return true;
}

static struct measure measure_of(const struct options *options,
                                 struct worker *worker)
{
    return (struct measure){
        .worker = worker,
        .timeout_s = options->timeout_s,
        .check_seed = measure_check_seed(),
        .nonfinite = true,
        .repeats = !options->repeats && options->filter.contracts & SAME_BITS
                       ? REPEATS_ASKED
                       : options->repeats,
        .empty_us = { NAN, NAN, NAN }
    };
}

static bool check_groups(const struct plan *plan, struct measure *measure,
                         struct checking *checking)
{
    struct outcome *outcomes = memory_for(plan->count, sizeof *outcomes);
    struct cell *kept = memory_for(plan->count, sizeof *kept);
    bool ok = true;
    for (size_t first = 0; ok && first < plan->count;) {
        const struct cell *cells = plan->cells + first;
        const size_t count = cells_of_problem(cells, plan->count - first);
        size_t sound = 0;
        /* Waiting for each cell of a variant that hung could take hours. */
        for (size_t k = 0; k < count; ++k) {
            int hung = 0;
            while (hung < checking->hung_count &&
                   checking->hung[hung] != cells[k].variant)
                ++hung;
            if (hung < checking->hung_count)
                ++checking->untried;
            else
                kept[sound++] = cells[k];
        }
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

int check_all(const struct plan *plan, const struct options *options,
              struct worker *worker)
{
    if (!can_stress(options, worker))
        return EXIT_BAD;
    const bool json = options->filter.format == FORMAT_JSON;
    struct checking checking = { .records = { .json = json, .digits = 6 } };
    struct measure measure = measure_of(options, worker);
    measure.starts = on_start;
    measure.done = on_done;
    measure.context = &checking;
    progress_start(&checking.progress, plan, options, worker);
    const bool finished = check_groups(plan, &measure, &checking);
    progress_end(&checking.progress);
    const struct tally *tally = &checking.progress.tally;
    if (measure.repeated)
        fprintf(stderr,
                "scanbench: cells launched up to %d times more, each at least "
                "%d times: %d\n",
                measure.repeats, measure.least, measure.repeated);
    if (measure.cut_short)
        fprintf(stderr,
                "scanbench: %d of them fewer times than that: a cell ends "
                "after %g s, but not before %d launches\n",
                measure.cut_short, REPEAT_ENOUGH_S, REPEAT_LEAST);
    if (checking.untried)
        fprintf(stderr,
                "scanbench: cells of variants that hung, not tried: %d\n",
                checking.untried);
    records_end(&checking.records);
    fprintf(json ? stderr : stdout, "%d passed, %d failed, %d skipped\n",
            tally->ok, tally->wrong + tally->failed, tally->skipped);
    if (worker_interrupted)
        fprintf(stderr, "scanbench: interrupted\n");
    if (!finished)
        return worker_interrupted ? EXIT_INTERRUPTED : EXIT_BAD;
    return progress_status(&checking.progress, "checked");
}

struct hunt {
    struct measure measure;
    int caught, missed; /* variants and operations */
};

/* Runs the cells of one variant and op until one is caught. False after an
 * interrupt or if the device is lost. */
static bool hunt_one(struct hunt *hunt, const struct plan *plan,
                     const struct variant *variant, enum op op)
{
    bool tried = false, caught = false;
    for (size_t k = 0; k < plan->count && !caught; ++k) {
        struct outcome outcome;
        const struct cell *cell = &plan->cells[k];
        if (cell->variant != variant || cell->op != op)
            continue;
        if (!measure_group(&hunt->measure, cell, 1, &outcome))
            return false;
        tried = true;
        caught = status_is_failed(outcome.row.status);
        if (caught)
            progress_failure(NULL, DEVICE_HOST, cell, &outcome);
    }
    hunt->caught += caught;
    hunt->missed += tried && !caught;
    if (tried && !caught)
        fprintf(stderr, "not caught: %s/%s\n", op_name(op), variant->name);
    return true;
}

/* One family, with the options of its record that expose the bug. */
static bool hunt_family(struct hunt *hunt, const struct family *family,
                        const struct options *options, struct worker *worker)
{
    struct options shown = *options;
    shown.filter.family = family->id;
    if (family->shown && !options_add(&shown, family->shown))
        return false;
    hunt->measure = measure_of(&shown, worker);
    struct plan plan = plan_make(&shown, worker->kind);
    bool ok = plan.count == 0 || can_stress(&shown, worker);
    for (const struct variant *v = family->variants; ok && v->name; ++v)
        for (int op = 0; ok && op < op_count(); ++op)
            ok = hunt_one(hunt, &plan, v, op_at(op));
    plan_free(&plan);
    return ok;
}

int check_must_fail(const struct options *options, struct worker *worker)
{
    struct hunt hunt = { .caught = 0 };
    for (const struct family *f = plan_families(options); f->id; ++f)
        if (!f->sound && plan_has_family(options, f) &&
            !hunt_family(&hunt, f, options, worker))
            return worker_interrupted ? EXIT_INTERRUPTED : EXIT_BAD;
    printf("%d passed, %d failed, 0 skipped\n", hunt.caught, hunt.missed);
    return hunt.missed ? EXIT_WRONG : EXIT_OK;
}
