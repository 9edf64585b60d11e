/* SPDX-License-Identifier: MIT
 *
 * What makes a run's figures doubtful, a sentence each: whoever shows them
 * says so beside them.
 */
#ifndef SRC_ANALYSE_WARNINGS_H
#define SRC_ANALYSE_WARNINGS_H

#include "src/analyse/standing.h"

/* The ceilings moved by more than this, per cent. */
#define WARNINGS_DRIFT_PCT 2
/* Half a cell's 95 % interval is more than this share of its time. */
#define WARNINGS_WIDE 0.05
/* Other processes took more of the host's processors than this, per cent: of a
 * host that is measured itself, and of one that drives a GPU. */
#define WARNINGS_BUSY_HOST_PCT 5
#define WARNINGS_BUSY_GPU_PCT 50

enum { WARNINGS_MOST = 12, WARNING_BYTES = 320 };
struct warnings {
    char text[WARNINGS_MOST][WARNING_BYTES];
    int count;
};

/* The gravest first. `all` is standing_make()'s. */
struct warnings warnings_of(const struct run_folder *run,
                            const struct run_cell *all, size_t count);

#endif
