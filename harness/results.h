/* SPDX-License-Identifier: MIT
 *
 * A run's folder: manifest.csv, ceilings.csv, and one CSV an operation. Every
 * row is on disk before the next cell starts. Functions return false after
 * saying on stderr what cannot be written.
 */
#ifndef HARNESS_RESULTS_H
#define HARNESS_RESULTS_H

#include "harness/cell.h"

#include <stdio.h>

struct results {
    char folder[1024];
    char device[128]; /* the slug: "h200" */
    FILE *ceilings, *op[OP_COUNT];
    struct {
        char key[40], value[1024];
    } facts[64];
    int fact_count;
};

/* "NVIDIA H200" -> "h200". */
void results_slug(const char *name, char *slug, size_t bytes);

/* Makes the folder (and its parents) and files it in `results`; `out` NULL
 * means results/<device>/<utc>-<commit>/ under SCANBENCH_RESULTS or
 * "results". A folder that holds a run already is refused. */
bool results_open(struct results *results, const char *out,
                  const struct device_facts *facts, int argc, char **argv);

/* Sets a manifest entry and rewrites manifest.csv whole (to a new file, then
 * renamed). */
bool results_fact(struct results *results, const char *key, const char *format,
                  ...) __attribute__((format(printf, 3, 4)));

bool results_row(struct results *results, const struct row *row);

/* One line of ceilings.csv: a twin's best probe, or (twin < 0) the flat
 * roof. */
struct ceiling {
    int twin; /* enum op, or -1 */
    enum dtype dtype;
    enum cache cache;
    int64_t elems, bytes;
    double gbps, gflops;
    const char *variant;
    int launch;        /* of the run's */
    const char *phase; /* "start", "end" */
};
bool results_ceiling(struct results *results, const struct ceiling *ceiling);

/* Marks the manifest complete or not, and closes all. */
bool results_close(struct results *results, bool complete);

#endif
