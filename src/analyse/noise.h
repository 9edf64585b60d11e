/* SPDX-License-Identifier: MIT
 *
 * How far two runs of the same code lie apart, as those two runs tell it
 * themselves: the model behind every limit of a comparison.
 *
 * Nothing below the limit is a change. It is the largest of
 *   - a relative floor and one in microseconds, as clocks have finite
 *     resolution;
 *   - four standard errors of how processes scatter in cells like this one
 *     (same_variant_sd). What jumps to and fro between two states, process by
 *     process, may stand in one of them three times and then in the other
 *     three times: so far apart are four errors of three processes a side;
 *   - in cells that BASE marks near_empty a third of an empty kernel's time:
 * what launching costs is drawn once a process;
 *   - what launching moved by between the two runs, for every kernel of the
 *     cell (one a pass over the data, and one that clears), as the short cells
 *     show it. More than NOISE_MOST_MOVED_US a kernel has never been chance:
 *     beyond it the limit does not follow;
 *   - with fewer than three processes on a side, NOISE_FEW_LIMIT.
 * What says how wide a limit is comes from BASE or is capped, but for the
 * scatter of NEW's own processes.
 */
#ifndef SRC_ANALYSE_NOISE_H
#define SRC_ANALYSE_NOISE_H

#include "src/analyse/pair.h"
#include "src/runs/run_folder.h"

#define NOISE_MOST_MOVED_US 0.25
#define NOISE_FEW_LIMIT 0.05
enum { NOISE_ENOUGH_PROCESSES = 3 };

/* What was asked for: no change below them is one. */
struct floors {
    double relative; /* 0.02 for 2 % */
    double absolute_us;
};

struct noise {
    struct floors floors;
    /* A third of BASE's empty kernel; NaN: unknown. */
    double launch_us[CACHE_COUNT];
    /* The median of now - base over the cells that are marked near_empty and
     * launch one kernel, by their passes; NaN with fewer than twenty. */
    double moved_us[CACHE_COUNT];
    /* Of each pair: standard deviation of one process's logarithm, over the
     * pairs of the same variant and cache state that take half to twice as
     * long, itself among them: between the processes of either side, never
     * between the sides. NaN: unknown, one process a side. */
    double *same_variant_sd;
};

/* O(n log n). */
struct noise noise_of(const struct pairs *pairs, const struct run_folder *base,
                      const struct floors *floors);
void noise_free(struct noise *noise);

/* Fractions of the shorter time: slower and faster begin at `change`; what
 * lies within `same` as a whole is unchanged. The latter leaves the scatter of
 * other cells out, which forbids to cry wolf but proves nothing the same. */
struct limits {
    double change, same;
};
struct limits noise_limits(const struct noise *noise, const struct pairs *pairs,
                           size_t p);

#endif
