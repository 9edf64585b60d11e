/* SPDX-License-Identifier: MIT
 *
 * scanbench show: the leader of each shape or class of shapes. scanbench table:
 * every cell.
 */
#ifndef CLI_SHOW_SHOW_H
#define CLI_SHOW_SHOW_H

#include "cli/common/runs.h"
#include "src/analyse/standing.h"
#include "src/choose/rules.h"
#include "src/runs/samples.h"

enum show_format { SHOW_TEXT, SHOW_MARKDOWN, SHOW_CSV, SHOW_JSON };

struct show_options {
    struct filter filter;
    const char *run;
    int format;   /* enum show_format */
    bool all;     /* a line per shape, not per class */
    bool samples; /* a line per process of a cell, about its samples */
};

enum table_format { TABLE_TEXT, TABLE_CSV, TABLE_GOOGLE };

struct table_options {
    struct filter filter;
    const char *run;
    const char *charts; /* folder for the charts' files, or NULL */
    const char *rules;  /* file that replaces `best` in charts, or NULL */
    int format;         /* enum table_format */
    bool all;
};

/* Writes every chart of the run as NAME.KIND, which plots/KIND.gp draws. If
 * there are rules, `all` contains their choices as `best`. Returns the number
 * of charts, or -1 after a message. */
int table_charts(const struct table_options *options,
                 const struct run_folder *run, const struct rules *rules,
                 const struct run_cell *all, size_t count);

#endif
