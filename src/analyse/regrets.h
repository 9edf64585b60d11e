/* SPDX-License-Identifier: MIT
 *
 * The regret of one variant, such as `best`, which chooses among the others: at
 * every problem of some runs (operation, type, shape and cache state), how much
 * longer it takes than the fastest, and the shares of the ceiling that both
 * reach. If several runs have a variant at a problem, the one that was added
 * first counts. Times of different runs are compared as multiples of the times
 * of their own ceilings.
 */
#pragma once

#include "src/model/shape.h"
#include "src/analyse/standing.h"
#include "src/choose/rules.h"

/* Cells below this share of the ceiling, in per cent, are low. */
enum { REGRET_LOW_PCT = 40 };

struct regret_cell {
    struct run_cell own, winner; /* winner.row is NULL if nothing has a time */
    enum shape_class class;
    double us; /* the variant's, a verified launch's, or infinite */
    /* Without another timed variant: 0 by rules, which had no other choice, and
     * NaN for a variant. */
    double regret_pct;
    double share_pct, winner_share_pct; /* of the ceiling; NaN if unknown */
};

/* The variant to judge, or with rules the one that they lead to; at all shapes,
 * or at those of one fold (learner_fold()). */
struct regret_scope {
    const char *variant;
    const struct rules *rules;
    int fold; /* 0 for all */
};

struct regret_entry {
    struct run_cell cell;
    size_t run; /* runs are counted in the order in which they were added */
};

/* Starts as { 0 }. Cells point into the runs. */
struct regret {
    struct regret_entry *entries;
    size_t entry_count, runs;
    struct regret_cell *cells; /* problems that have the variant */
    size_t count;
};

/* Add all runs, then judge: once, or fold by fold. */
void regret_add(struct regret *regret, const struct run_folder *run);
void regret_judge(struct regret *regret, const struct regret_scope *scope);
void regret_free(struct regret *regret);

/* True if the variant was too slow, failed, or is below REGRET_LOW_PCT. */
bool regret_low(const struct regret_cell *cell);

enum regret_quantile {
    REGRET_P5,
    REGRET_P25,
    REGRET_P50,
    REGRET_P75,
    REGRET_P90,
    REGRET_P95,
    REGRET_P99,
    REGRET_P100,
    REGRET_QUANTILES
};
/* In per cent. */
extern const int regret_quantiles[REGRET_QUANTILES];

struct regret_summary {
    size_t cells;                        /* in the quantiles */
    size_t refused, untimed, low;        /* the untimed ones are low, too */
    double regret_pct[REGRET_QUANTILES]; /* NaN without a cell */
    double share_pct[REGRET_QUANTILES], winner_share_pct[REGRET_QUANTILES];
};

/* For one operation, type and class of shapes (SHAPE_CLASS_COUNT for all). */
struct regret_summary regret_summarise(const struct regret *regret, enum op op,
                                       enum dtype dtype,
                                       enum shape_class class);

/* All cells that are not refused, the largest regret first; for free(). */
const struct regret_cell **regret_worst(const struct regret *regret,
                                        size_t *count);
