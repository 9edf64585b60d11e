/* SPDX-License-Identifier: MIT
 *
 * Verdicts on two runs: the cells that both have are paired, and each pair is
 * judged by the rule of docs/compare.md (Y. Benjamini, Y. Hochberg, Controlling
 * the False Discovery Rate, 1995).
 */
#pragma once

#include "src/runs/run_cell.h"
#include "src/runs/run_folder.h"

/* ------------------------------------------------------------------- pairs */

/* `timing` is of the judged figure: times, or times over the ceilings'. */
struct pair {
    struct run_cell base, now;
};

struct pairs {
    struct pair *pair; /* in run_cell_order(), timed or not; for free() */
    size_t count;
    size_t only_base, only_now; /* cells that the other run lacks */
    const struct row *first_only_base, *first_only_now;
};

/* The cells point to the runs' rows. */
struct pairs pairs_of(const struct run_rows *base, const struct run_rows *now,
                      bool by_share);

/* True if both sides have a time, and a ceiling if that is judged. */
bool pair_judged(const struct pair *pair);

/* The shorter of a timed pair's times. */
double pair_us(const struct pair *pair);

/* True if BASE is marked near_empty: launching is much of its time. NEW's mark
 * does not count, as it would widen the limit for NEW. */
bool pair_near_empty(const struct pair *pair);

/* ------------------------------------------------------------------ change */

/* The ratio of two times and its interval: Student's for the difference of two
 * mean logarithms, with one variance for both sides, taken from the scatter
 * between processes. The interval is never narrower than the processes' own
 * intervals allow; with one process on each side, they alone count. */
struct change {
    double ratio;     /* now / base */
    double low, high; /* 95 % interval; 0 and infinity if it is unknown */
    double p;         /* two-sided; 1 if the interval is unknown */
};

/* Both sides need a process. */
struct change change_of(const struct timing *base, const struct timing *now);

/* Variance of the difference per variance between processes: 1/n + 1/m. */
double change_per_process(const struct timing *base, const struct timing *now);

/* ------------------------------------------------------------------- noise */

/* The limit below which a difference is noise (docs/compare.md). A larger shift
 * of the launch latency than NOISE_MOST_MOVED_US was never chance. */
#define NOISE_MOST_MOVED_US 0.25
#define NOISE_FEW_LIMIT 0.05
enum { NOISE_ENOUGH_PROCESSES = 3 };

/* The user's floors. */
struct floors {
    double relative; /* 0.02 for 2 % */
    double absolute_us;
};

struct noise {
    struct floors floors;
    /* A third of the time of BASE's empty kernel; NaN if it is unknown. */
    double launch_us[CACHE_COUNT];
    /* Median of now - base over the near_empty cells that launch one kernel;
     * NaN with fewer than twenty. */
    double moved_us[CACHE_COUNT];
    /* For each pair, the standard deviation of one process's logarithm, pooled
     * over the pairs of the same variant and cache state that take half to
     * twice as long, within each side; NaN with one process on each side. */
    double *same_variant_sd; /* for free() */
};

struct noise noise_of(const struct pairs *pairs, const struct run_folder *base,
                      const struct floors *floors);

/* Fractions of the shorter time: slower and faster begin at `change`; an
 * interval within `same` is unchanged. `same` leaves out the scatter of other
 * cells, which prevents false alarms but proves nothing equal. */
struct limits {
    double change, same;
};
struct limits noise_limits(const struct noise *noise, const struct pairs *pairs,
                           size_t p);

/* ---------------------------------------------------------------- verdicts */

enum verdict {
    VERDICT_BROKEN, /* was timed, and is wrong, fails or hangs */
    VERDICT_SLOWER,
    VERDICT_UNCLEAR,
    VERDICT_FASTER,
    VERDICT_UNMEASURED, /* timed on one side at most */
    VERDICT_NONE,       /* ratio only: the two cannot be judged */
    VERDICT_TOO_SHORT,
    VERDICT_UNCHANGED,
    VERDICT_COUNT
};

const char *verdict_name(enum verdict verdict);

struct judged {
    const struct pair *pair;
    struct change change; /* of the times, or of the shares */
    double time_ratio;    /* now / base; NaN unless both are timed */
    double limit;         /* fraction that the verdict was held to */
    double least;         /* slow-down that would be an alarm, or INFINITY */
    enum verdict verdict;
    bool alarm; /* broken, or slower with enough processes on each side */
};

struct comparison {
    struct pairs pairs;
    struct noise noise;
    struct judged *cells; /* pairs.count */
    size_t counts[VERDICT_COUNT];
    size_t alarms;
    size_t judged;  /* with a ratio */
    size_t neither; /* timed on neither side */
    size_t dropped; /* cells that some processes timed and others did not */
    size_t few;     /* timed, with fewer than three processes on a side */
    size_t single;  /* of them, with one */
};

enum comparison_mode {
    COMPARE_TIMES,
    COMPARE_SHARES, /* of each run's own ceilings: two cards of one name */
    COMPARE_RATIOS  /* of the times, without verdicts */
};

/* Points into the runs. A faster cell that has become suspect is unclear. */
struct comparison compare_runs(const struct run_folder *base,
                               const struct run_folder *now,
                               const struct floors *floors,
                               enum comparison_mode mode);
void comparison_free(struct comparison *comparison);

/* Counts cells where a slow-down larger than this would be an alarm if no other
 * cell changed. */
size_t comparison_shows(const struct comparison *comparison, double slower);

/* Puts the worst first: by verdict, then by distance from 1. */
void comparison_sort(struct comparison *comparison);

/* Geometric mean of an operation's ratios, without cells that are near_empty,
 * which follow the launch latency and would move it together. */
struct mean {
    double ratio;        /* NaN without a cell */
    size_t cells, clear; /* all, and those that are not unclear */
};
struct mean comparison_mean(const struct comparison *comparison, enum op op);
