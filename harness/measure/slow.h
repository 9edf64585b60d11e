/* SPDX-License-Identifier: MIT
 *
 * Which variants were too slow where, so that they need not be tried where
 * they cannot be better: a launch of one that is hopeless takes longer than
 * the samples of many others.
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

/* One launch of the cell took this long, which was too long. Those that are
 * too many are forgotten. */
void slow_add(struct slow_cells *slow, const struct cell *cell,
              double launch_us);

/* A cell of the same variant by which this one will surely take more than
 * `most_us` a launch, or NULL. `sms`: the device's multiprocessors. */
const struct cell *slow_find(const struct slow_cells *slow,
                             const struct cell *cell, double most_us, int sms);

#endif
