/* SPDX-License-Identifier: MIT
 *
 * Reads a run's ceilings.csv: what plain traffic reached. Two runs whose
 * ceilings differ were not measured on a machine in the same state.
 */
#ifndef SRC_RUNS_RUN_CEILING_H
#define SRC_RUNS_RUN_CEILING_H

#include "src/runs/run_row.h"

/* The best of the largest probes that stand at a run's start. */
struct run_ceiling {
    int64_t elems; /* 0: none was measured */
    double gbps;
};

struct run_ceilings {
    struct run_ceiling of[OP_COUNT][DTYPE_COUNT][CACHE_COUNT]; /* [twin] */
    double roof_gflops[DTYPE_COUNT][CACHE_COUNT]; /* additions; 0: unknown */
    size_t damaged; /* lines that were left out, or 1 for all of the file */
};

/* A file that is not there leaves them empty; what is damaged is told and
 * left out. */
void run_ceilings_read(struct run_ceilings *ceilings, const char *path,
                       const struct listener *listener);

#endif
