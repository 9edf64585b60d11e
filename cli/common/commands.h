/* SPDX-License-Identifier: MIT
 *
 * The commands. Each returns its exit status; those that take argc and argv
 * parse their own options.
 */
#pragma once

#include "harness/options.h"
#include "src/choose/catalogue.h"

struct plan;
struct worker;

int which_command(int argc, char **argv);
int compare_command(int argc, char **argv);
int show_command(int argc, char **argv);
int table_command(int argc, char **argv);
int report_command(int argc, char **argv);
int regret_command(int argc, char **argv);
int ladder_command(int argc, char **argv);
int rules_command(int argc, char **argv);
int new_command(int argc, char **argv);

/* Prints the table after `run` on stderr, if the run has rows. */
void show_at_end(const char *folder, const struct filter *filter);

/* Opens devices for --devices, and to warn if GPU variants cannot run here. */
int list_command(const struct options *options);

/* Reports that nothing matches on devices of these kinds (bits 1 << enum
 * device_kind), or that a family is unknown. Returns EXIT_BAD. */
int list_nothing_matches(const struct options *options, unsigned kinds);

/* Prints the plan's cells with their bytes, memory and estimated time. */
int list_plan(const struct plan *plan, const struct options *options,
              const struct worker *worker);

/* Prints "N passed, N failed, N skipped" on stdout, and failures on stderr. */
int check_all(const struct plan *plan, const struct options *options,
              struct worker *worker);

/* check --must-fail: succeeds if every variant and operation of the families
 * fails in at least one cell, with the options that its record lists. */
int check_must_fail(const struct options *options, struct worker *worker);

/* Compares the variants of the run in options->folder with the fastest. */
int tune_report(const struct options *options);

/* True if the options name several devices, or a folder that joins runs. */
bool beside_is_asked(const struct options *options);

/* Runs on several devices: each has a process, which calls `run` with its own
 * command line. Their folders device0, device1 … lie in the folder `joined`. */
int beside_run(int argc, char **argv, const struct options *options,
               int (*run)(int argc, char **argv, const char *joined,
                          int together));

/* Returns the folder of a device's run, for free(), or NULL. */
char *beside_folder(const char *joined, int number);

/* The templates of `new`, up to a NULL folder (plugins/embed.py). */
struct new_file {
    const char *folder, *ending, *text;
};
extern const struct new_file new_files[];

/* -------------------------------------------------- options of the commands */

struct which_options {
    struct filter filter;
    const char *gpu; /* h200, h100 or a file of rules */
};

/* The options of `show` and `table`. */
struct show_options {
    struct filter filter;
    bool all; /* a line per shape, not per class; or per cell */
    int by;   /* ranked by time (0) or error (1) */
};

/* Limits for the exit status, per cent; NaN if there is none. */
enum { REGRET_MOST = 2, REGRET_LEAST = 3 };
struct regret_limits {
    double pct[REGRET_MOST + REGRET_LEAST]; /* regret: 90th and 99th percentile;
                                               share: 5th, 25th and 50th */
    double most_low;                        /* number of low cells */
};

struct regret_options {
    struct filter filter;
    const char *variant;
    const char *rules; /* file that replaces the variant, or NULL */
    bool cells;        /* list every cell, not quantiles */
    struct regret_limits limits;
};

/* Prints the regret of a choice, in the filter's format: quantiles, or with
 * `cells` every cell. Returns EXIT_WRONG, after a message, if it exceeds the
 * limits, which may be NULL. */
struct regret;
int regret_print(const struct regret *regret, const char *variant,
                 const struct filter *filter, bool cells,
                 const struct regret_limits *limits);

/* ------------------------------------------ tables generated from variants/ */

/* Texts of results/best/measured/, each after its name (measured.h). */
extern const char *const measured_texts[];

/* Texts for kernel_header_field(), up to a NULL id (variants/heads.sh). */
struct kernel_head {
    const char *id; /* "scan/block_per_line" */
    const char *text;
    const char *file; /* as in catalogue_point */
};
extern const struct kernel_head kernel_heads[];
