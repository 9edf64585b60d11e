/* SPDX-License-Identifier: MIT
 *
 * Shared by the files of `scanbench report`. The page is one file: a style, a
 * body and a script, which plugins/embed.py takes from report/, and between
 * them the runs as JSON. Texts of the runs are only in the JSON and the title,
 * and escaped; the page's policy allows no script but its own.
 */
#pragma once

#include <stdio.h>

#include "src/analyse/standing.h"
#include "src/runs/run_folder.h"

struct report_part {
    const char *text;
    size_t bytes;
    const char *sha256; /* in base64 */
};
extern const struct report_part report_style, report_body, report_script;
extern const char *const results_texts[]; /* results/README.md */

/* A run, and all its cells, in run_rows_sort()'s order. */
struct report_run {
    struct run_folder folder;
    struct run_cell *all;
    size_t count;
};

/* Each writes a JSON object. */
void report_write_run(const struct report_run *run, FILE *file);
void report_write_families(const struct report_run *runs, size_t count,
                           FILE *file);

/* Six digits, or null if unknown; the text lasts for seven more calls. */
const char *report_real(double value);

/* A string on a line of its own, after a comma unless it is the first. */
void report_text(FILE *file, bool first, const char *text);

/* The last part of the path that was given. */
enum { REPORT_NAME_BYTES = 512 };
char *report_name(const char *path, char name[REPORT_NAME_BYTES]);
