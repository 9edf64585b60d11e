/* SPDX-License-Identifier: MIT
 *
 * The cells that two runs have in common, and what the runs say of the machine.
 */
#ifndef SRC_JUDGE_PAIR_H
#define SRC_JUDGE_PAIR_H

#include "src/judge/change.h"
#include "src/runs/run_cell.h"
#include "src/runs/run_folder.h"

struct pair {
    struct run_cell base, now;
    double kin;  /* scatter of a launch of cells like it; NaN: unknown */
    double near; /* the same, of whatever takes as long */
    struct change change; /* NaN, and only the verdict, unless both are timed */
};

struct comparison {
    struct pair *pairs; /* cells that both runs have, timed or not */
    size_t count;
    size_t only_base, only_now; /* cells that the other run has not */
    const struct run_row *first_only_base, *first_only_now;
    size_t neither; /* of the pairs: timed on no side */
    size_t counts[VERDICT_COUNT];
    struct limits limits;
    /* What launching may take more or less in another process, and by how much
     * it did change from base to now (src/judge/launch_cost.h); NaN: unknown.
     */
    double launch_us[CACHE_COUNT], moved_us[CACHE_COUNT];
};

bool pair_timed(const struct pair *pair);

/* The shorter of a timed pair's times. */
double pair_us(const struct pair *pair);

#endif
