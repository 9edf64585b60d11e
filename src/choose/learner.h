/* SPDX-License-Identifier: MIT
 *
 * Learns rules (src/choose/rules.h) from runs: at every problem (operation,
 * type and shape that is not ragged, in a cold cache), how much longer each
 * variant takes than the fastest. Times are divided by those of the run's own
 * ceilings, because the runs may be of several cards.
 */
#pragma once

#include <stdio.h>

#include "src/choose/catalogue.h"
#include "src/choose/rules.h"
#include "src/runs/run_folder.h"

#define LEARNER_UNIT 1e-5
enum {
    LEARNER_UNKNOWN = -1,
    LEARNER_REFUSES = -2,
    LEARNER_SLOW = -3 /* it took too long to be timed, or timed out */
};

enum { LEARNER_KEYS = 8 };
struct learner_cell {
    enum op op;
    enum dtype dtype;
    struct shape shape;
    int64_t key[LEARNER_KEYS]; /* sort key: similar problems are adjacent */
    double best; /* time of `best` over the ceiling's; NaN if unknown */
    int winner;  /* a point, or -1 if none is certain */
    int32_t
        *loss; /* for each point the logarithm of its time over the
                  winner's, in units of LEARNER_UNIT; or LEARNER_UNKNOWN … */
};

/* Starts as { .points = … }. */
struct learner {
    const struct catalogue_point *points;
    int point_count;
    struct learner_cell *cells; /* sorted by learner_judge() */
    size_t count;
};

/* Add all runs, newest first: at a problem the newest counts. Then judge. */
void learner_add(struct learner *learner, const struct run_folder *run);
void learner_judge(struct learner *learner);
void learner_free(struct learner *learner);

/* Writes variants and problems of a file of rules (src/choose/rules.h), but no
 * problem without a winner or of the fold `left_out` (0 for none). */
void learner_write(const struct learner *learner, int left_out, FILE *file);

/* The fold of a problem, from 1 on, depends on its shape alone: rules made
 * without the fold have the shape in no operation or type. */
enum { LEARNER_FOLDS = 8 };
int learner_fold(struct shape shape);
