/* SPDX-License-Identifier: MIT
 *
 * scanbench show: the leader of each shape or class of shapes. scanbench table:
 * every cell.
 */
#ifndef CLI_SHOW_SHOW_H
#define CLI_SHOW_SHOW_H

#include "cli/common/runs.h"
#include "src/analyse/standing.h"
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
    int format;         /* enum table_format */
    bool all;
};

#endif
