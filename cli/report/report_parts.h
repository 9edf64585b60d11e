/* SPDX-License-Identifier: MIT
 *
 * What the files of `scanbench report` share. The page is one file: a style, a
 * body and a script, which report/ holds and report/embed.c brings here, and
 * between them the runs as JSON. Texts of the runs stand in the JSON and the
 * title alone, escaped; the page's policy lets nothing run but its own script.
 */
#ifndef CLI_REPORT_REPORT_PARTS_H
#define CLI_REPORT_REPORT_PARTS_H

#include <stdio.h>

#include "src/analyse/standing.h"
#include "src/runs/samples.h"

struct report_options {
    const char *out; /* a file; NULL: stdout */
};

struct report_part {
    const char *text;
    size_t bytes;
    const char *sha256; /* in base64 */
};
extern const struct report_part report_style, report_body, report_script;

/* A run, and all its cells, in run_rows_sort()'s order. */
struct report_run {
    struct run_folder folder;
    struct run_samples samples;
    struct run_cell *all;
    size_t count;
};

/* Each writes a JSON object. Of a number six digits as `scanbench table` has
 * them; null is an unknown one. */
void report_write_run(const struct report_run *run, FILE *file);
void report_write_families(const struct report_run *runs, size_t count,
                           FILE *file);
void report_write_comparison(const struct report_run *runs, size_t base,
                             size_t now, FILE *file);
void report_write_cards(const struct report_run *runs, size_t count,
                        FILE *file);
void report_real(FILE *file, double value);

/* The last part of the path that was given. */
void report_write_name(const char *path, void (*write)(FILE *, const char *),
                       FILE *file);

#endif
