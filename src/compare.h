/* SPDX-License-Identifier: MIT
 *
 * Pairs the cells of two runs and judges each pair.
 */
#ifndef SRC_COMPARE_H
#define SRC_COMPARE_H

#include "src/run_folder.h"
#include "src/change.h"

/* One cell of one run: its launches. */
enum { SIDE_MARKS_BYTES = 96 };
struct side {
    const struct run_row *row; /* the first launch; NULL: not in this run */
    size_t rows;
    enum status status; /* the worst of the launches; ok or suspect: timed */
    const char *reason; /* of that launch, or "" */
    char marks[SIDE_MARKS_BYTES]; /* of all launches, joined by '+' */
    struct timing timing;         /* of the launches that were timed */
    double pct_ceiling;           /* mean of the same; NaN: unknown */
};

/* The side of a cell whose launches begin at rows[0]; *count holds the number
 * of rows that are left, and comes back as the number of launches. */
struct side side_of(const struct run_row *rows, size_t *count);
bool side_timed(const struct side *side);
bool side_near_empty(const struct side *side);   /* marked so */
const char *side_marks(const struct side *side); /* to print: or "none" */

struct pair {
    struct side base, now;
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
     * it did change from base to now (src/launch_cost.h); NaN: unknown. */
    double launch_us[CACHE_COUNT], moved_us[CACHE_COUNT];
};

/* Pairs two runs in order of their cells. `judge` false: ratios only. What is
 * faster but has become suspect is unclear. The limits' drift is replaced by
 * that of these runs. Rows are pointed at, not copied. */
struct comparison compare_runs(const struct run_folder *base,
                               const struct run_folder *now,
                               const struct limits *limits, bool judge);
void compare_free(struct comparison *comparison);

bool pair_timed(const struct pair *pair);

/* The shorter of a timed pair's times. */
double pair_us(const struct pair *pair);

/* The limits for one of the pairs: the comparison's, with its own kin and near,
 * and with launch_cost_floor() as the floor in microseconds, if that is higher.
 */
struct limits pair_limits(const struct comparison *comparison,
                          const struct pair *pair);

/* True of a pair so short that its floor in microseconds is above the relative
 * one. */
bool pair_short(const struct comparison *comparison, const struct pair *pair);

/* Puts the worst first: by verdict, then by how far from 1. */
void compare_sort(struct comparison *comparison);

/* The geometric mean of now / base over an operation's timed pairs, and their
 * number; NaN without any. Cells marked near_empty are left out: all of them go
 * by what launching costs in that process, and would move the mean together. */
double compare_geomean(const struct comparison *comparison, enum op op,
                       size_t *cells);

#endif
