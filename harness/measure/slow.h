/* SPDX-License-Identifier: MIT
 *
 * Records launches that were too slow, so that cells of the same variant that
 * must be slower are skipped.
 */
#ifndef HARNESS_MEASURE_SLOW_H
#define HARNESS_MEASURE_SLOW_H

#include "harness/cell.h"

struct slow_cells {
    struct slow_cell {
        struct cell cell;
        double launch_us;
    } at[4096];
    int count;
};

/* Records a launch that took too long; ignored if the table is full. */
void slow_add(struct slow_cells *slow, const struct cell *cell,
              double launch_us);

/* Returns a recorded cell of the same variant from which it follows that a
 * launch of this one takes over `most_us`, or NULL. `sms` is the number of
 * multiprocessors. */
const struct cell *slow_find(const struct slow_cells *slow,
                             const struct cell *cell, double most_us, int sms);

#endif
