/* SPDX-License-Identifier: MIT
 *
 * What the files of `scanbench show` share.
 */
#ifndef CLI_SHOW_SHOW_PARTS_H
#define CLI_SHOW_SHOW_PARTS_H

#include "cli/common/runs.h"
#include "src/analyse/standing.h"
#include "src/analyse/warnings.h"
#include "src/runs/samples.h"

enum show_format { SHOW_TEXT, SHOW_MARKDOWN, SHOW_CSV, SHOW_JSON };

struct show_options {
    struct filter filter;
    const char *run;
    int format;   /* enum show_format */
    bool all;     /* a line a shape, not one a class */
    bool samples; /* a line each process of a cell, of its samples */
};

/* What is shown of a run. */
struct show {
    const struct run_folder *run;
    struct lead *leads;
    size_t count;
    struct warnings warnings;
};

/* show.c: as text of `columns` columns, or as Markdown on stdout. */
void show_text(const struct show *show, FILE *file, int wide);
void show_markdown(const struct show *show);

/* show_samples.c: in that format; false: it has none of these rows. */
bool show_samples(const struct run_folder *run,
                  const struct run_samples *samples, enum show_format format);

/* show_formats.c: for programs, on stdout. */
void show_csv(const struct show *show);
void show_json(const struct show *show);

#endif
