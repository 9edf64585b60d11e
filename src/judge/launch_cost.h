/* SPDX-License-Identifier: MIT
 *
 * What launching a kernel costs is drawn once a process: all its launches take
 * a little more or less than another process's. That is no change of a kernel.
 */
#ifndef SRC_JUDGE_LAUNCH_COST_H
#define SRC_JUDGE_LAUNCH_COST_H

#include "src/judge/pair.h"

/* Sets launch_us: a third of an empty kernel's time, the longer of the two
 * runs'. And moved_us: the median of now - base over the cells that are marked
 * near_empty and launch one kernel, by their passes; fewer than twenty tell
 * nothing: NaN. Needs the pairs. */
void launch_cost_set(struct comparison *comparison,
                     const struct run_folder *base,
                     const struct run_folder *now);

/* Below this many microseconds a pair has not changed, for what launching
 * costs; NaN: unknown. In cells that are marked near_empty it is launch_us. In
 * all it is moved_us for every kernel of a launch; a pass over the data takes
 * one, and what it needs cleared another. */
double launch_cost_floor(const struct comparison *comparison,
                         const struct pair *pair);

#endif
