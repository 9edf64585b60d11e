/* SPDX-License-Identifier: MIT
 *
 * A run's ceilings: the best that a traffic twin's probes reached, for every
 * twin, dtype, cache state and size class.
 */
#ifndef HARNESS_SWEEP_CEILINGS_H
#define HARNESS_SWEEP_CEILINGS_H

#include "harness/sweep/plan.h"
#include "src/runs/results.h"

struct ceilings {
    struct {
        double gbps; /* 0: none */
        const struct cell *cell;
    } best[OP_COUNT][DTYPE_COUNT][CACHE_COUNT][SIZE_CLASSES];
};

/* A probe reached this; it may be the best so far. */
void ceilings_raise(struct ceilings *ceilings, const struct cell *probe,
                    double gbps);

/* What a cell is held to, GB/s; 0 where there is none. */
double ceilings_gbps(const struct ceilings *ceilings, const struct cell *cell);

/* All of them into ceilings.csv. */
bool ceilings_write(const struct ceilings *ceilings, struct results *results,
                    int process, const char *phase);

/* The largest move of a ceiling that both have, per cent of `start`. */
double ceilings_drift_pct(const struct ceilings *start,
                          const struct ceilings *end);

#endif
