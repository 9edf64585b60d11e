/* SPDX-License-Identifier: MIT */
#include "cli/common/commands.h"

#include "cli/common/options_parts.h"
#include "cli/compare/compare.h"
#include "src/base/memory.h"

static int status_of(const struct comparison *c, enum fail_on fail_on)
{
    size_t failed = 0;
    if (fail_on != FAIL_ON_NEVER)
        failed += c->alarms;
    if (fail_on == FAIL_ON_UNCLEAR || fail_on == FAIL_ON_ANY)
        failed += c->counts[VERDICT_UNCLEAR];
    if (fail_on == FAIL_ON_ANY)
        failed += c->counts[VERDICT_SLOWER] + c->counts[VERDICT_FASTER] +
                  c->counts[VERDICT_UNMEASURED] - c->neither;
    return failed ? EXIT_WRONG : EXIT_OK;
}

static void report_alone(const struct run_folder *run, const char *name,
                         size_t cells, const struct row *first)
{
    char id[ROW_ID_BYTES];
    if (cells)
        fprintf(stderr,
                "scanbench: %s: only in %s: %zu cells, the first of them %s "
                "(run the same grid to compare all)\n",
                run->path, name, cells, row_id(first, id));
}

static int compare_two(const struct compare_options *options,
                       const struct run_folder *base,
                       const struct run_folder *now)
{
    struct notes notes = { .count = 0 };
    const enum comparison_mode mode = compare_mode(base, now, &notes);
    struct comparison comparison =
        compare_runs(base, now, &options->floors, mode);
    const struct pairs *pairs = &comparison.pairs;
    int status = EXIT_BAD;
    if (!pairs->count) {
        fputs("scanbench: the two have no cell in common (operation, variant, "
              "type, shape and cache), as a GPU's and a host's never have: run "
              "the same grid\n",
              stderr);
    } else {
        report_alone(base, "BASE", pairs->only_base, pairs->first_only_base);
        report_alone(now, "NEW", pairs->only_now, pairs->first_only_now);
        compare_note_findings(&comparison, mode, &notes);
        comparison_sort(&comparison);
        compare_print(&(struct compare_report){ options, base, now, &comparison,
                                                &notes, mode });
        status = mode == COMPARE_RATIOS
                     ? EXIT_OK
                     : status_of(&comparison, (enum fail_on)options->fail_on);
    }
    comparison_free(&comparison);
    return status;
}

/* Reads a run and keeps the cells that the filter selects. With --against the
 * base stays whatever -f and -x select: these are for what is listed. */
static bool read_wanted(struct run_folder *run, const char *path,
                        const struct compare_options *options)
{
    struct filter select = options->filter;
    if (!read_run(run, path))
        return false;
    if (options->against)
        select.filters.count = select.excludes.count = 0;
    if (select_rows(&select, &run->rows))
        return true;
    fprintf(stderr,
            "scanbench: %s has no such cell\n"
            "scanbench table lists what it has\n",
            path);
    return false;
}

/* A damaged run cannot pass: the cells that were lost may be the slower ones.
 */
static int with_damage(int status, const struct run_folder *base,
                       const struct run_folder *now)
{
    const size_t damaged = base->damaged + now->damaged;
    if (status != EXIT_OK || !damaged)
        return status;
    fprintf(stderr,
            "scanbench: %zu damaged lines or lost files were left out: the "
            "rest shows nothing to fail on, but they might\n",
            damaged);
    return EXIT_BAD;
}

static bool parse(int argc, char **argv, struct compare_options *options,
                  int *status)
{
    static const char *const not_gpus[] = { "against", "all",       "cache",
                                            "fail-on", "floor-pct", "floor-us",
                                            NULL };
    struct words words;
    *options = (struct compare_options){ .top = 20, .floors = COMPARE_FLOORS };
    if (!command_parse(COMMAND_COMPARE, argc, argv, options, &words, status))
        return false;
    *status = EXIT_BAD;
    options->gpus |= options->cards;
    options->runs = words.word;
    options->run_count = words.count;
    if (words_given(&words, "floor-pct"))
        options->floors.relative = options->floor_pct / 100;
    if (options->gpus && !words_given(&words, "top"))
        options->top = 0;
    for (int k = 0; options->gpus && not_gpus[k]; ++k)
        if (words_given(&words, not_gpus[k]))
            return misused("compare",
                           "--gpus shows times in a cold cache without a "
                           "verdict: not with --%s",
                           not_gpus[k]);
    const int wanted = options->against ? 1 : 2;
    if (options->gpus ? words.count > 0 : words.count == wanted)
        return true;
    return misused("compare", "%s: %s",
                   words.count <= wanted ? "a folder is missing"
                                         : words.word[wanted],
                   options->gpus ? "compare --gpus RUN... takes some"
                   : wanted == 1 ? "compare RUN --against VARIANT takes one"
                                 : "compare BASE NEW takes two");
}

int compare_command(int argc, char **argv)
{
    static struct compare_options options; /* its patterns stay until the end */
    struct run_folder base = { 0 }, now = { 0 };
    int status;
    if (!parse(argc, argv, &options, &status))
        return status;
    if (options.gpus)
        return compare_gpus(&options);
    /* Reads both runs before it gives up, to report what is wrong with either.
     */
    bool ok = read_wanted(&base, options.runs[0], &options);
    if (!options.against)
        ok = read_wanted(&now, options.runs[1], &options) && ok;
    status = !ok               ? EXIT_BAD
             : options.against ? compare_against(&base, &options)
                               : compare_two(&options, &base, &now);
    status = with_damage(status, &base, &now);
    run_folder_free(&base);
    run_folder_free(&now);
    return status;
}
