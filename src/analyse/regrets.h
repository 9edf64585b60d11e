/* SPDX-License-Identifier: MIT
 *
 * What choosing costs. At every problem of some runs (operation, type, shape
 * and cache state), of one variant, such as `best`, which chooses among all:
 * how much longer it takes than the fastest there (its regret), and the share
 * of the ceiling that either reaches. Of a variant that several runs have at a
 * problem the run that was added first counts; times of different runs are
 * compared as multiples of what their own ceilings would take.
 */
#ifndef SRC_ANALYSE_REGRETS_H
#define SRC_ANALYSE_REGRETS_H

#include "src/model/shape.h"
#include "src/analyse/standing.h"
#include "src/choose/rules.h"

/* Below this share of the ceiling, per cent, a cell is low. */
enum { REGRET_LOW_PCT = 40 };

struct regret_cell {
    struct run_cell own, winner; /* winner.row NULL: nothing has a time */
    bool same_run;               /* has both */
    enum shape_class class;
    double us; /* the variant's: where it was too slow to be timed, that of a
                  verified launch; infinite if there is none */
    double regret_pct; /* us beyond the winner's; NaN without a winner */
    double share_pct, winner_share_pct; /* of the ceiling; NaN: unknown */
};

/* What is looked at: a variant, or what rules lead to where they are given; of
 * the sets of bits, 0 is all. */
struct regret_scope {
    const char *variant;
    const struct rules *rules;
    unsigned ops, dtypes, caches;
};

/* A cell of one of the runs, which are counted in the order they were added. */
struct regret_entry {
    struct run_cell cell;
    size_t run;
};

/* Starts as { 0 }. Cells point into the runs. */
struct regret {
    struct regret_entry *entries;
    size_t entry_count, entry_room, runs;
    struct regret_cell *cells; /* problems that have the variant */
    size_t count;
};

/* Adds what a run has, then judges all. */
void regret_add(struct regret *regret, const struct run_folder *run);
void regret_judge(struct regret *regret, const struct regret_scope *scope);
void regret_free(struct regret *regret);

/* It does not serve the problem, or does not fit: in no quantile. */
bool regret_refused(const struct regret_cell *cell);
/* It was too slow to be timed, or failed. */
bool regret_untimed(const struct regret_cell *cell);
/* That, or below REGRET_LOW_PCT of the ceiling. */
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
    size_t refused, untimed, low;        /* low: untimed ones, too */
    double regret_pct[REGRET_QUANTILES]; /* NaN of none */
    double share_pct[REGRET_QUANTILES], winner_share_pct[REGRET_QUANTILES];
};

/* Of an operation, a type and a class of shapes (SHAPE_CLASS_COUNT: all). */
struct regret_summary regret_summarise(const struct regret *regret, enum op op,
                                       enum dtype dtype,
                                       enum shape_class class);

/* All cells that are not refused, the largest regret first; for free(). */
const struct regret_cell **regret_worst(const struct regret *regret,
                                        size_t *count);

#endif
