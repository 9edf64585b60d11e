/* SPDX-License-Identifier: MIT
 *
 * scanbench compare: two runs, several GPUs, or the variants of one run. The
 * rule itself is in src/analyse/.
 */
#pragma once

#include "cli/common/runs.h"
#include "src/analyse/comparison.h"
#include "src/analyse/warnings.h"

enum fail_on { FAIL_ON_SLOWER, FAIL_ON_UNCLEAR, FAIL_ON_ANY, FAIL_ON_NEVER };

struct compare_options {
    struct filter filter;
    char **runs; /* BASE and NEW; or RUN with `against`; or any with `gpus` */
    int run_count;
    const char *against; /* a variant or a family, or NULL for the fastest */
    bool gpus;
    bool cards;        /* `gpus`, and each card by itself */
    bool all;          /* list unchanged cells too */
    int fail_on;       /* enum fail_on */
    double detect_pct; /* slow-down that half of the cells must show, or 0 */
    double floor_pct;
    struct floors floors;
};

/* Default of the floors below which no change counts: 2 %, 0.5 us. */
extern const struct floors compare_floors;

/* Returns what can be compared, and notes in what the runs differ. */
enum comparison_mode compare_mode(const struct run_folder *base,
                                  const struct run_folder *now,
                                  struct notes *notes);

/* Notes how launching moved, what was left out, where processes are too few,
 * and that a slow-down of detect_pct (0: 5 %) would not show. */
void compare_note_findings(const struct comparison *comparison,
                           enum comparison_mode mode, double detect_pct,
                           struct notes *notes);

struct compare_report {
    const struct compare_options *options;
    const struct run_folder *base, *now;
    const struct comparison *comparison; /* sorted */
    const struct notes *notes;
    enum comparison_mode mode;
};

/* Prints the report. With CSV, notes and counts go to stderr. */
void compare_print(const struct compare_report *report);

/* An interval is wide if it is unknown, or if it comes from too few processes
 * to narrow the ratio to a factor of COMPARE_WIDE. */
#define COMPARE_WIDE 4
bool compare_is_wide(const struct change *change);

/* Prints the classes of two GPUs' runs, like compare_gpus(). */
void compare_print_classes(const struct compare_report *report);

/* Compares runs of several GPUs; returns the exit status. */
int compare_gpus(const struct compare_options *options);

/* Compares all variants with options->against. Returns the exit status. */
int compare_against(const struct run_folder *run,
                    const struct compare_options *options);
