/* SPDX-License-Identifier: MIT */
#include "cli/common/commands.h"

#include <math.h>

#include "cli/common/options_parts.h"
#include "cli/compare/compare.h"
#include "src/base/exit.h"

const struct floors compare_floors = { 0.02, 0.5 };

/* True if half of the cells would show such a slow-down. */
static bool can_detect(const struct comparison *c, double pct)
{
    return c->judged && 2 * comparison_shows(c, pct / 100) >= c->judged;
}

static int status_of(const struct comparison *c,
                     const struct compare_options *options)
{
    const size_t unclear = c->alarms + c->counts[VERDICT_UNCLEAR];
    const size_t failed[] = {
        [FAIL_ON_SLOWER] = c->alarms,
        [FAIL_ON_UNCLEAR] = unclear,
        [FAIL_ON_ANY] = unclear + c->counts[VERDICT_SLOWER] +
                        c->counts[VERDICT_FASTER] +
                        c->counts[VERDICT_UNMEASURED] - c->neither,
        [FAIL_ON_NEVER] = 0,
    };
    if (failed[options->fail_on])
        return EXIT_WRONG;
    if (options->detect_pct ? can_detect(c, options->detect_pct)
                            : options->fail_on == FAIL_ON_NEVER ||
                                  comparison_shows(c, INFINITY))
        return EXIT_OK;
    fputs("scanbench: nothing failed, but too few cells could: measure five "
          "processes of each side, on one device (or set a larger --detect, or "
          "--fail-on never)\n",
          stderr);
    return EXIT_BLIND;
}

static void report_alone(const struct run_folder *run, const char *name,
                         size_t cells, const struct row *first)
{
    char id[ROW_ID_BYTES];
    if (cells)
        fprintf(stderr,
                "scanbench: %s: cells only in %s: %zu, the first of them %s "
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
        compare_note_findings(&comparison, mode, options->detect_pct, &notes);
        comparison_sort(&comparison);
        compare_print(&(struct compare_report){ options, base, now, &comparison,
                                                &notes, mode });
        status = status_of(&comparison, options);
    }
    comparison_free(&comparison);
    return status;
}

/* Reads a run and keeps the cells that the filter selects. With --against,
 * -f and -x apply only to what is listed, not to the base. */
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

/* A damaged run cannot pass: lost cells may be the slower ones. */
static int with_damage(int status, const struct run_folder *base,
                       const struct run_folder *now)
{
    const size_t damaged = base->damaged + now->damaged;
    if ((status != EXIT_OK && status != EXIT_BLIND) || !damaged)
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
    enum { VERDICTS = 5 }; /* the rest is for --gpus */
    static const char *const without[] = { "all",       "detect",   "fail-on",
                                           "floor-pct", "floor-us", "against",
                                           "cache",     NULL };
    struct words words;
    *options =
        (struct compare_options){ .filter.top = 20, .floors = compare_floors };
    if (!command_parse(COMMAND_COMPARE, argc, argv, options, &words, status))
        return false;
    *status = EXIT_BAD;
    options->gpus |= options->cards;
    options->runs = words.word;
    options->run_count = words.count;
    if (words_given(&words, "floor-pct"))
        options->floors.relative = options->floor_pct / 100;
    if (options->gpus && !words_given(&words, "top"))
        options->filter.top = 0;
    for (int k = 0; without[k]; ++k)
        if ((options->gpus || (options->against && k < VERDICTS)) &&
            words_given(&words, without[k]))
            return misused("compare", "%s without a verdict: not with --%s",
                           options->gpus ? "--gpus shows times in a cold cache"
                                         : "--against shows times",
                           without[k]);
    const int wanted = options->against ? 1 : 2;
    if (options->gpus ? words.count > 0 : words.count == wanted)
        return true;
    return misused("compare", "%s: %s",
                   words.count <= wanted ? "a folder is missing"
                                         : words.word[wanted],
                   options->gpus ? "compare --gpus RUN... takes at least one"
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
    /* Reads both before it gives up, to report what is wrong with either. */
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

/* -------------------------------------------------------------------- notes */

/* A good machine's ceilings scatter by less, as a fraction. */
static const double ceiling_moved = 0.02;

/* Two runs, and the notes on them. */
struct noted {
    const struct run_folder *base, *now;
    struct notes *notes;
};

/* True if both manifests have the key, with different values. */
static bool differ(const struct noted *of, const char *key)
{
    const char *left = run_fact(of->base, key), *right = run_fact(of->now, key);
    return *left && *right && strcmp(left, right) != 0;
}

/* Notes the difference and its meaning. */
static bool note_differ(const struct noted *of, const char *key,
                        const char *meaning)
{
    const bool differs = differ(of, key);
    if (differs)
        note(of->notes, "%s: %s %.100s in BASE, %.100s in NEW", meaning, key,
             run_fact(of->base, key), run_fact(of->now, key));
    return differs;
}

/* A card with ECC, or a slice of a card, is another device. */
static bool same_device(const struct noted *of)
{
    static const char *const keys[] = {
        "device_name",        "device",   "pretend",
        "device_kind",        "sm_count", "ecc",
        "compute_capability", "mig"
    };
    for (size_t k = 0; k < sizeof keys / sizeof *keys; ++k)
        if (note_differ(of, keys[k],
                        "different devices, so ratios and no verdicts"))
            return false;
    const char *unknown = !*run_fact(of->base, "device_name")  ? "BASE"
                          : !*run_fact(of->now, "device_name") ? "NEW"
                                                               : NULL;
    if (unknown)
        note(of->notes,
             "the device of %s is unknown (no device_name in manifest.csv), so "
             "ratios and no verdicts",
             unknown);
    return !unknown;
}

static bool same_clocks(const struct noted *of)
{
    static const char key[] = "clocks_locked";
    if (note_differ(of, key,
                    "clocks locked on one side only, or differently, so ratios "
                    "and no verdicts"))
        return false;
    if (!*run_fact(of->base, key) != !*run_fact(of->now, key))
        note(of->notes,
             "clocks_locked is missing in one manifest: the clocks may differ");
    return true;
}

/* Cards of one name differ, in their memory most of all. */
static enum comparison_mode same_card(const struct noted *of)
{
    if (differ(of, "gpu_hash")) {
        note(of->notes, "two cards of one name: each time is judged as a share "
                        "of its own run's ceiling, and how the times "
                        "themselves changed stands beside it");
        return COMPARE_SHARES;
    }
    if (differ(of, "host_hash") && !*run_fact(of->base, "gpu_hash"))
        note(of->notes, "not the same machine: even machines of one kind are "
                        "not alike; to judge code, measure both on one");
    return COMPARE_TIMES;
}

static void note_incomplete(const struct run_folder *run, const char *name,
                            struct notes *notes)
{
    if (strcmp(run_fact(run, "complete"), "0") == 0)
        note(notes, "%s did not come to its end: cells may be missing", name);
}

/* The twins' code is the same: if a ceiling moved, the machine changed. */
static void note_ceilings(const struct noted *of)
{
    for (int k = 0; k < op_count() * DTYPE_COUNT * CACHE_COUNT; ++k) {
        const enum op twin = op_at(k / CACHE_COUNT / DTYPE_COUNT);
        const enum dtype dtype = (enum dtype)(k / CACHE_COUNT % DTYPE_COUNT);
        const enum cache cache = (enum cache)(k % CACHE_COUNT);
        const struct ceiling *left =
            ceilings_best(&of->base->ceilings, twin, dtype, cache);
        const struct ceiling *right =
            ceilings_best(&of->now->ceilings, twin, dtype, cache);
        if (!left || !right || left->elems != right->elems)
            continue;
        const double moved = right->gbps / left->gbps - 1;
        if (fabs(moved) > ceiling_moved)
            note(of->notes,
                 "the ceiling of %s %s %s moved by %+.1f %% (%.4g to %.4g "
                 "GB/s): the machine changed, whatever the code did",
                 op_name(twin), dtype_name(dtype), cache_names[cache],
                 100 * moved, left->gbps, right->gbps);
    }
}

enum comparison_mode compare_mode(const struct run_folder *base,
                                  const struct run_folder *now,
                                  struct notes *notes)
{
    static const char *const software[] = {
        "compiler",      "flags",        "nvcc",          "nvcc_flags",
        "architectures", "cub_version",  "driver",        "rules_hash",
        "cuda_driver",   "cuda_runtime", "power_limit_w", "plugins"
    };
    const struct noted of = { base, now, notes };
    bool judged = same_device(&of);
    judged = same_clocks(&of) && judged;
    const enum comparison_mode mode = judged ? same_card(&of) : COMPARE_RATIOS;
    for (size_t k = 0; k < sizeof software / sizeof *software; ++k)
        note_differ(&of, software[k], "not the same");
    note_incomplete(base, "BASE", notes);
    note_incomplete(now, "NEW", notes);
    if (mode == COMPARE_TIMES)
        note_ceilings(&of);
    return mode;
}

void compare_note_findings(const struct comparison *c,
                           enum comparison_mode mode, double detect_pct,
                           struct notes *notes)
{
    if (c->dropped)
        note(notes,
             "cells that some processes did not time (unstable, or left out): "
             "%zu; their times are those of the others, and they cannot be "
             "unchanged",
             c->dropped);
    if (mode == COMPARE_RATIOS)
        return;
    for (int cache = 0; cache < CACHE_COUNT; ++cache)
        if (fabs(c->noise.moved_us[cache]) > NOISE_MOST_MOVED_US)
            note(notes,
                 "the short cells (near_empty, %s) moved by %+.2f us: two runs "
                 "of one build never differed by more than %.2f us, so only so "
                 "much is put down to launching",
                 cache_names[cache], c->noise.moved_us[cache],
                 NOISE_MOST_MOVED_US);
    if (c->single)
        note(notes,
             "cells with one process on a side: %zu; their scatter is unknown, "
             "so they are unclear; measure five processes a side, alternately",
             c->single);
    if (c->few > c->single)
        note(notes,
             "cells with two processes on a side: %zu; no change below %.0f %% "
             "is one, and none counts for the exit status",
             c->few - c->single, 100 * NOISE_FEW_LIMIT);
    detect_pct = detect_pct ? detect_pct : 5;
    if (!can_detect(c, detect_pct))
        note(notes,
             "this comparison would miss %.4g %% in most cells: of %zu, %zu "
             "would show it",
             detect_pct, c->judged, comparison_shows(c, detect_pct / 100));
}
