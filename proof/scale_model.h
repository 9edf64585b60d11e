/* SPDX-License-Identifier: MIT
 *
 * The model of a launch over N ranks, a + e (N - 1) + k t microseconds, t being
 * cells_ideal_us(), fitted by least squares of the relative error.
 */
#ifndef PROOF_SCALE_MODEL_H
#define PROOF_SCALE_MODEL_H

#include <stdint.h>

#include "proof/scale_cells.h"

enum parameter { LATENCY, EACH_RANK, PASSES, PARAMETERS };

struct fit {
    double by[PARAMETERS];
    size_t used, held_out;
    double worst_pct; /* of the held out, or else of those used */
    int ranks;        /* of the first */
    bool knows_each;  /* others have other ranks: EACH_RANK is not in LATENCY */
};

/* To the variant's cells of its kind, of up to fit_to ranks; the others say how
 * far the model is off. */
struct fit fit_of(const struct cells *cells, const struct run_cell *like,
                  int64_t fit_to);

/* The same to the best of each size over one rank, whatever the variant. */
struct fit fit_alone(const struct cells *cells, const struct run_cell *like);

double fit_us(const struct fit *fit, int64_t ranks, double ideal_us);

/* Fewer rows than parameters fit everything, and as many without an error. */
bool fit_is_known(const struct fit *fit);
bool fit_is_tried(const struct fit *fit);

/* The bytes from which on two ranks are faster than the best alone, as both are
 * fitted; NaN: from none on, or unknown. */
double fit_pays_from(const struct cells *cells, const struct run_cell *like,
                     const struct fit *fit);

#endif
