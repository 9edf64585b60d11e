/* SPDX-License-Identifier: MIT
 *
 * The A/A floor: how far two runs of the same code on the same device lie
 * apart. A comparison takes no change for one below three times this.
 */
#ifndef SRC_JUDGE_AA_FLOOR_H
#define SRC_JUDGE_AA_FLOOR_H

#include "src/judge/pair.h"

/* Fractions; NaN without a cell. A cell's distance is max(ratio, 1 / ratio)
 * - 1, so that it does not matter which run is called the base. The floor is
 * half the 99th percentile of the distances: three times the floor is half as
 * far again as 99 of 100 cells went, whatever the shape of the tail, and of
 * many cells one alone cannot raise it. Cells that floors of their own hold
 * are left out, whatever they say: short ones, by microseconds, and those that
 * scatter more than twice as much as a typical cell, by that scatter
 * (src/judge/scatter.h). Their differences are no measure for the others. */
struct aa_floor {
    double floor, p50, p95, p99, max;
    size_t cells, left_out;
};

struct aa_floor aa_floor_of(const struct comparison *comparison);

#endif
