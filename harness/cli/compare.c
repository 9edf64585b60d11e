/* SPDX-License-Identifier: MIT */
#include "harness/cli/compare.h"

#include <math.h>

#include "harness/cli/compare_parts.h"
#include "harness/cli/read_run.h"
#include "harness/tally.h"
#include "src/judge/aa_floor.h"

/* The larger of what the two manifests say, as a fraction. */
static double aa_floor(const struct compare_options *options,
                       const struct run_folder *base,
                       const struct run_folder *now)
{
    if (isfinite(options->aa_floor_pct))
        return options->aa_floor_pct / 100;
    return fmax(run_fact_number(base, "aa_floor_pct"),
                run_fact_number(now, "aa_floor_pct")) /
           100;
}

static int status_of(const struct comparison *c, enum fail_on fail_on)
{
    size_t failed = 0;
    if (fail_on != FAIL_ON_NEVER)
        failed += c->counts[VERDICT_BROKEN] + c->counts[VERDICT_SLOWER];
    if (fail_on == FAIL_ON_UNCLEAR || fail_on == FAIL_ON_ANY)
        failed += c->counts[VERDICT_UNCLEAR];
    if (fail_on == FAIL_ON_ANY)
        failed += c->counts[VERDICT_FASTER] + c->counts[VERDICT_UNMEASURED] -
                  c->neither;
    return failed ? EXIT_WRONG : EXIT_OK;
}

static int print_aa(const struct compare_report *report)
{
    const struct aa_floor aa = aa_floor_of(report->comparison);
    for (int n = 0; n < report->notes->count; ++n)
        fprintf(stderr, "scanbench: %s\n", report->notes->text[n]);
    if (!report->judged || !aa.cells) {
        fputs(report->judged
                  ? "scanbench: no cell is long enough for an A/A floor: "
                    "measure larger shapes\n"
                  : "scanbench: an A/A floor belongs to one device: name two "
                    "runs of the same code on it\n",
              stderr);
        return EXIT_BAD;
    }
    if (strcmp(report->base->path, report->now->path) == 0) {
        fputs("scanbench: both are one run: name two runs of the same code\n",
              stderr);
        return EXIT_BAD;
    }
    if (strcmp(run_fact(report->base, "commit"),
               run_fact(report->now, "commit")) != 0)
        fputs("scanbench: the commits differ: is that the same code?\n",
              stderr);
    if (aa.cells < 100)
        fprintf(stderr,
                "scanbench: %zu cells are few: the floor is hardly more than "
                "the worst of them\n",
                aa.cells);
    fprintf(stderr,
            "scanbench: %zu cells (%zu that are short or scatter more left "
            "out) lie apart by "
            "%.2f %% (half of them at most), %.2f %% (95 of 100), %.2f %% (99 "
            "of 100), %.2f %% (all)\n",
            aa.cells, aa.left_out, 100 * aa.p50, 100 * aa.p95, 100 * aa.p99,
            100 * aa.max);
    fprintf(stderr, "scanbench: with it no change below %.2f %% is one\n",
            fmax(300 * aa.floor, report->options->floor_pct));
    printf("aa_floor_pct,%.3f\n", 100 * aa.floor);
    return EXIT_OK;
}

static void tell_alone(const struct run_folder *run, const char *name,
                       size_t cells, const struct run_row *first)
{
    char id[PAIR_TEXT_BYTES];
    if (cells)
        fprintf(stderr,
                "scanbench: %s: only in %s: %zu cells, the first of them %s "
                "(run the same grid to compare all)\n",
                run->path, name, cells, compare_id(first, id));
}

static int compare_two(const struct compare_options *options,
                       const struct run_folder *base,
                       const struct run_folder *now)
{
    struct compare_notes notes = { .count = 0 };
    const struct limits limits = { .relative = options->floor_pct / 100,
                                   .aa = aa_floor(options, base, now),
                                   .drift = NAN,
                                   .absolute_us = options->floor_us };
    const bool judged = compare_judgeable(base, now, &notes);
    struct comparison comparison = compare_runs(base, now, &limits, judged);
    struct compare_report report = { options,     base,   now,
                                     &comparison, &notes, judged };
    int status = EXIT_BAD;
    tell_alone(base, "BASE", comparison.only_base, comparison.first_only_base);
    tell_alone(now, "NEW", comparison.only_now, comparison.first_only_now);
    if (!comparison.count) {
        fputs("scanbench: the two have no cell in common (operation, variant, "
              "type, shape and cache): run the same grid\n",
              stderr);
    } else if (options->aa) {
        status = print_aa(&report);
    } else {
        compare_sort(&comparison);
        compare_write(&report);
        status = judged ? status_of(&comparison, options->fail_on) : EXIT_OK;
    }
    compare_free(&comparison);
    return status;
}

/* Cells that cannot be read may be the slower ones: damage is no success. */
static int with_damage(int status, const struct run_folder *base,
                       const struct run_folder *now)
{
    const size_t damaged = base->damaged + now->damaged;
    if (status != EXIT_OK || !damaged)
        return status;
    fprintf(stderr,
            "scanbench: %zu damaged lines or lost files were left out: what "
            "is whole shows nothing to fail on, what is not might\n",
            damaged);
    return EXIT_BAD;
}

int compare_command(int argc, char **argv)
{
    struct compare_options options;
    struct run_folder base = { 0 }, now = { 0 };
    int status;
    if (!compare_options_parse(argc, argv, &options, &status))
        return status;
    status = EXIT_BAD;
    if (options.against) {
        if (read_run(&base, options.base))
            status = compare_against(&base, &options);
    } else {
        /* Both are read, so that both are told of. */
        bool ok = read_run(&base, options.base);
        if (read_run(&now, options.now) && ok)
            status = compare_two(&options, &base, &now);
    }
    status = with_damage(status, &base, &now);
    run_folder_free(&base);
    run_folder_free(&now);
    return status;
}
