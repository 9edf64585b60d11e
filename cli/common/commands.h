/* SPDX-License-Identifier: MIT
 *
 * The commands. Each returns its exit status; those that take argc and argv
 * parse their own options.
 */
#ifndef CLI_COMMON_COMMANDS_H
#define CLI_COMMON_COMMANDS_H

#include "harness/options.h"

struct plan;
struct worker;

int compare_command(int argc, char **argv);
int show_command(int argc, char **argv);
int table_command(int argc, char **argv);
int report_command(int argc, char **argv);
int regret_command(int argc, char **argv);
int ladder_command(int argc, char **argv);
int rules_command(int argc, char **argv);
int new_command(int argc, char **argv);

/* The table at the end of `run`, on stderr, of all shapes or one per class. A
 * run without rows prints nothing. */
void show_at_end(const char *folder, bool all);

/* `list` opens a device for --devices, and to say on stderr that the ids of GPU
 * variants cannot run here. */
int list_command(const struct options *options);

/* Says on stderr that nothing matches on devices of these kinds (bits 1 << enum
 * device_kind), and which family an unknown one may have meant. */
void list_nothing_matches(const struct options *options, unsigned kinds);

/* --dry-run: the plan's cells with their bytes, memory and estimated time. */
int list_plan(const struct plan *plan, const struct options *options,
              const struct worker *worker);

/* `check` prints "N passed, N failed, N skipped" on stdout, and what failed on
 * stderr. */
int check_all(const struct plan *plan, const struct options *options,
              struct worker *worker);

/* check --must-fail: every variant and operation of the families has to be
 * caught in at least one cell, under the options that its record lists. */
int check_must_fail(const struct options *options, struct worker *worker);

/* The table of `tune`, from the run in options->folder. */
enum { TUNE_FOLDER_BYTES = 4096 };
int tune_report(const struct options *options, enum device_kind kind);

/* The options name several devices, or a folder to resume that joins runs. */
bool beside_is_asked(const struct options *options);

/* `run` on several devices: run(argc, argv, joined, together) is called in a
 * process for each, with its words. Their folders device0, device1 … lie in one
 * that joins them, which other commands read as a folder of runs. */
int beside_run(int argc, char **argv, const struct options *options,
               int (*run)(int argc, char **argv, const char *joined,
                          int together));

/* The folder of that device's run, for free(); NULL if there is none. */
char *beside_folder(const char *joined, int number);

/* The templates of `new`; plugins/embed.sh makes the table, and a NULL folder
 * ends it. */
struct new_file {
    const char *folder, *ending, *text;
};
extern const struct new_file new_files[];

#endif
