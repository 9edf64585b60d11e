/* SPDX-License-Identifier: MIT
 *
 * What the files of `scanbench export` share.
 */
#ifndef HARNESS_CLI_EXPORT_PARTS_H
#define HARNESS_CLI_EXPORT_PARTS_H

#include "src/judge/standing.h"
#include "src/runs/samples.h"

/* The cells that have a time, in run_cell_order(). */
struct exported {
    const struct run_folder *run;
    const struct standing *cells;
    size_t count;
    const char *out; /* where it goes, or NULL: stdout */
    struct run_samples samples;
};

/* The next timed cell from `from` on, or `count`. */
size_t export_next(const struct exported *exported, size_t from);

enum { EXPORT_NAME_BYTES = 512 };

/* "op/variant/dtype/OUTERxAXISxINNER/cache" */
char *export_name(const struct run_row *row, char name[EXPORT_NAME_BYTES]);

/* A JSON string, or number (null where it is not finite), after its key. */
void export_text(const char *key, const char *text);
void export_real(const char *key, double value);

/* A document each, on stdout. */
void export_action(const struct exported *exported);
void export_google(const struct exported *exported);
void export_bencher(const struct exported *exported);
void export_nvbench(const struct exported *exported);

/* The samples, a file for each cell that has some, in OUT-bin/; false after
 * saying why not. */
bool export_nvbench_samples(const struct exported *exported);

#endif
