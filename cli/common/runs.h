/* SPDX-License-Identifier: MIT
 *
 * The runs that a command line names, and their cells that it selects; other
 * files that a command reads or writes.
 */
#pragma once

#include <limits.h>

#include "cli/common/commands.h"
#include "harness/options.h"
#include "src/choose/rules.h"
#include "src/runs/run_folder.h"

/* Reads a run, and prints its first few problems. False if nothing of it can be
 * used; it is freed in either case. */
bool read_run(struct run_folder *run, const char *path);

/* Parses the options of `show` or `table`, and reads the run. False if the
 * command should end with *status; the run is freed in either case. */
bool open_run(enum command command, int argc, char **argv,
              struct show_options *options, struct run_folder *run,
              int *status);

/* Several runs, the newest first by their manifests. */
struct published {
    struct run_folder *run;
    size_t count;
};

/* Reads the folders. A folder without a manifest stands for the runs directly
 * below it. False after a message if a folder has no runs or no rows. */
bool published_read(struct published *set, char *const *folders, int count);
void published_free(struct published *set);

/* op/variant/dtype/OUTERxAXISxINNER/cache */
enum { ROW_ID_BYTES = 512 };
char *row_id(const struct row *row, char id[ROW_ID_BYTES]);

/* Today's contracts of the row's variant; if unknown, those of its marks. */
unsigned row_contracts(const struct row *row);

/* True if the row passes the filter. */
bool select_wants(const struct filter *select, const struct row *row);

/* Keeps the rows that pass; returns their number. */
size_t select_rows(const struct filter *select, struct run_rows *rows);

/* -------------------------------------------------------------------- files */

/* The options of `ladder`, `rules` and `report`, which has no filter. */
struct page_options {
    struct filter filter;
    const char *write; /* a file; NULL for stdout */
    bool held_out;
    const struct known_gpu *as; /* or NULL */
};

/* Parses the options, and reads the selected rows of the runs (default: cold),
 * at least one of them a GPU's. False if the command should end with *status;
 * the set is freed in either case. */
bool page_begin(enum command command, int argc, char **argv,
                struct page_options *options, struct published *set,
                int *status);

/* Writes the text to a file; returns the exit status, after a message. */
int page_write(const char *path, const char *text);

/* Reads a file of rules, for rules_free(). False after a message. */
bool page_read_rules(const char *path, struct rules *rules);

/* Sets *path to the first of two files that exists, relative to the program's
 * folder, as an installation may be moved. False if neither exists. */
bool installed_file(const char *installed, const char *built,
                    char path[PATH_MAX]);
