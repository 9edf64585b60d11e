/* SPDX-License-Identifier: MIT
 *
 * Did a cell get slower? Pairs the cells of two runs and judges each pair.
 *
 * slower, faster  beyond the limit (src/analyse/noise.h), and not by chance: of
 *                 all that a comparison calls changed by their t statistics,
 *                 at most 5 % are expected not to be (Y. Benjamini, Y.
 *                 Hochberg, Controlling the False Discovery Rate, 1995)
 * unchanged       the whole 95 % interval lies within a limit of 5 % at most
 * too_short       it lies within its limit, but that is more than 5 %: the
 *                 cell is too short to tell
 * unclear         all else: measure with more processes
 *
 * With one process on a side nothing is known of what differs from process to
 * process: no interval, and every cell is unclear.
 */
#ifndef SRC_ANALYSE_COMPARISON_H
#define SRC_ANALYSE_COMPARISON_H

#include "src/analyse/change.h"
#include "src/analyse/noise.h"

enum verdict {
    VERDICT_BROKEN, /* was timed, is wrong, fails or hangs */
    VERDICT_SLOWER,
    VERDICT_UNCLEAR,
    VERDICT_FASTER,
    VERDICT_UNMEASURED, /* timed on one side at most */
    VERDICT_NONE,       /* a ratio only: the two cannot be judged */
    VERDICT_TOO_SHORT,
    VERDICT_UNCHANGED,
    VERDICT_COUNT
};

const char *verdict_name(enum verdict verdict);

/* Above it `unchanged` would say too little. */
#define COMPARISON_MOST_LIMIT 0.05
/* Of what is called slower or faster, so much may be chance. */
#define COMPARISON_FALSE_DISCOVERIES 0.05

struct judged {
    const struct pair *pair;
    struct change change; /* of what was judged: times, or shares */
    double time_ratio;    /* now / base; NaN unless both are timed */
    double limit;         /* what the verdict was held to, as a fraction */
    enum verdict verdict;
    bool alarm; /* slower, of enough processes on each side, or broken */
};

struct comparison {
    struct pairs pairs;
    struct noise noise;
    struct judged *cells; /* pairs.count */
    size_t counts[VERDICT_COUNT];
    size_t alarms;
    size_t neither; /* timed on neither side */
    size_t dropped; /* cells that some process did not time, but others did */
    size_t few;     /* timed, with fewer than three processes on a side */
    size_t single;  /* of them: with one */
    double chance;  /* p up to which a change was taken for one */
};

enum comparison_mode {
    COMPARE_TIMES,
    COMPARE_SHARES, /* of each run's own ceilings: two cards of one name */
    COMPARE_RATIOS  /* times, without verdicts */
};

/* Rows are pointed at, not copied. What is faster but has become suspect is
 * unclear. */
struct comparison compare_runs(const struct run_folder *base,
                               const struct run_folder *now,
                               const struct floors *floors,
                               enum comparison_mode mode);
void comparison_free(struct comparison *comparison);

/* Puts the worst first: by verdict, then by how far from 1. */
void comparison_sort(struct comparison *comparison);

/* The geometric mean of an operation's ratios over the cells that say
 * something: timed on both sides, and neither near_empty, where all cells go
 * by what launching costs and would move the mean together. `cells` is their
 * number, `clear` that of those with a verdict other than unclear. */
struct mean {
    double ratio; /* NaN without a cell */
    size_t cells, clear;
};
struct mean comparison_mean(const struct comparison *comparison, enum op op);

#endif
