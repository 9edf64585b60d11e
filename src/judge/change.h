/* SPDX-License-Identifier: MIT
 *
 * Did a cell become slower? The rule, on times alone. It works on the
 * logarithm of the ratio new / base, so that slower and faster are mirror
 * images of each other.
 *
 * Samples of one process agree with each other better than two processes do
 * (clocks, heat and the place of the buffers are drawn once a process). So
 * with two launches or more the interval comes from the scatter between
 * launches: Student's 95 % interval of the difference of two means, with one
 * variance for both sides, and never narrower than what the launches' own
 * intervals leave. With one launch a side there is only the latter.
 *
 * A change must also pass the limit, the largest of
 *   - a relative floor (2 %),
 *   - three times the A/A floor, if it was measured (src/judge/aa_floor.h),
 *   - three times the error that the launches' typical scatter leaves,
 *   - four times the error that the scatter of this cell and its like leaves
 *     (src/judge/scatter.h). What jumps to and fro between two states, process
 * by process, may stand in one of them three times and then in the other three
 *     times: so far apart are four errors of three launches a side, unless one
 *     of the states is rarer than one in ten,
 *   - the same of all cells that take as long, but no more than near_us:
 *     starting on a cold cache takes up to that more or less, and a variant
 *     with few cells of that length has not shown it yet. Only where near_us is
 *     above 5 % of the time,
 *   - a floor in microseconds, as clocks have grains, and what launching costs
 *     differs from process to process (src/judge/launch_cost.h).
 *
 * slower, faster  beyond the limit, and the interval leaves out "no change"
 * unchanged       the whole interval lies within the limit, without the fourth
 *                 and fifth of its parts: that others scatter proves nothing of
 *                 this one
 * unclear         all else: measure with more launches
 */
#ifndef SRC_JUDGE_CHANGE_H
#define SRC_JUDGE_CHANGE_H

#include <stdbool.h>
#include <stddef.h>

#include "src/runs/timing.h"

enum change_verdict {
    VERDICT_BROKEN, /* was timed, is wrong, fails or hangs */
    VERDICT_SLOWER,
    VERDICT_UNCLEAR,
    VERDICT_FASTER,
    VERDICT_UNMEASURED, /* timed on one side at most */
    VERDICT_NONE,       /* a ratio only: the two cannot be judged */
    VERDICT_UNCHANGED,
    VERDICT_COUNT
};

const char *change_verdict_name(enum change_verdict verdict);

/* Between-launch variance of the logarithm, pooled over both sides; returns
 * its degrees of freedom (0: unknown, *variance is then NaN). */
size_t timing_scatter(const struct timing *base, const struct timing *now,
                      double *variance);

/* The standard deviation of a typical cell, from the variances (sorted in
 * place) of cells that have the same degrees of freedom: their median, put
 * right for the skew of few degrees. NaN without any. */
double timing_drift(double *variances, size_t count, double degrees);

struct limits {
    double relative;    /* 0.02 for 2 % */
    double aa;          /* A/A floor, likewise; NaN: unknown */
    double drift;       /* of a launch in these runs; NaN: unknown */
    double absolute_us; /* no change below this is one */
    double kin;         /* as drift, of cells like this one; NaN: unknown */
    double near;        /* as drift, of whatever takes as long; likewise */
    double near_us;     /* what `near` may forbid at most; NaN: nothing */
};

/* Where neither an A/A floor nor a second launch tells drift from change,
 * slower and faster begin no earlier than here; from the other limits up to
 * here it is unclear. */
#define LIMIT_DRIFT_UNKNOWN 0.05

/* Longer cells have no start to speak of: near_us as a fraction of the time. */
#define LIMIT_START_LEAST 0.05

struct change {
    double ratio, low, high; /* new / base; infinite or 0 ends: unknown */
    double limit;            /* as a fraction of the shorter time */
    enum change_verdict verdict;
};

/* Below it nothing has changed; a fraction of the shorter time. */
double change_floor(const struct timing *base, const struct timing *now,
                    const struct limits *limits);

/* Both sides need a launch. */
struct change change_of(const struct timing *base, const struct timing *now,
                        const struct limits *limits);

#endif
