/* SPDX-License-Identifier: MIT
 *
 * What the files of `scanbench table` share.
 */
#ifndef CLI_SHOW_TABLE_PARTS_H
#define CLI_SHOW_TABLE_PARTS_H

#include "cli/common/runs.h"
#include "src/analyse/standing.h"
#include "src/choose/rules.h"

enum table_format { TABLE_TEXT, TABLE_CSV, TABLE_GOOGLE };

struct table_options {
    struct filter filter;
    const char *run;
    const char *charts; /* folder to write the charts' files into; or NULL */
    const char *rules;  /* a file; NULL: `best` counts */
    int format;         /* enum table_format */
    bool all;
};

/* The cells as Google Benchmark writes them, on stdout; false: none has a
 * time. */
bool table_google(const struct run_folder *run,
                  const struct run_cell *const *cells, size_t count);

/* Every chart of the run, a file each: NAME.KIND, where plots/KIND.gp draws
 * it. With rules (or NULL), `all` has what they lead to as `best`. Returns how
 * many, or -1 after saying what went wrong. */
int table_charts(const struct table_options *options,
                 const struct run_folder *run, const struct rules *rules,
                 const struct run_cell *all, size_t count);

#endif
