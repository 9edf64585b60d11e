/* SPDX-License-Identifier: MIT
 *
 * What runs over several ranks timed, of several files.
 */
#ifndef PROOF_SCALE_CELLS_H
#define PROOF_SCALE_CELLS_H

#include <stdbool.h>
#include <stddef.h>

#include "src/runs/run_cell.h"

/* The cells point into the files' rows. */
struct cells {
    struct run_rows *file;
    struct run_cell *cell;
    size_t files, count;
};

/* Says what is damaged on stderr. */
extern const struct listener scale_listener;

/* Named after an operation, as a run's files of rows are. */
bool cells_has_rows(const char *path);

/* Adds the file's cells, each one time for all its processes. False if it, or
 * a line of it, cannot be read. */
bool cells_read(struct cells *cells, const char *path);
void cells_free(struct cells *cells);

/* One operation, type and kind of shape; with `variant`, of one variant. */
bool cells_alike(const struct run_cell *l, const struct run_cell *r,
                 bool variant);

/* The best over one rank of the same problem; infinite: not measured. */
double cells_alone_us(const struct cells *cells, const struct run_cell *of);

/* What the ceilings of all its ranks would take, microseconds: by the ceiling
 * of the largest problem that was measured over as many. That of its own size
 * has a launch's latency in it. */
double cells_ideal_us(const struct cells *cells, const struct run_cell *of);

#endif
