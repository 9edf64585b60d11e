/* SPDX-License-Identifier: MIT
 *
 * Two times of a cell set against each other: their ratio, its interval, and
 * how likely chance alone makes one as large. All on the logarithm, so that
 * slower and faster are mirror images.
 *
 * The interval is Student's for the difference of two means, with one variance
 * for both sides, from the scatter between processes; never narrower than what
 * the processes' own intervals leave. With one process a side there is only
 * the latter, and it knows nothing of what differs between processes.
 */
#ifndef SRC_ANALYSE_CHANGE_H
#define SRC_ANALYSE_CHANGE_H

#include <stdbool.h>

#include "src/runs/run_cell.h"

struct change {
    double ratio;     /* now / base */
    double low, high; /* its 95 % interval; 0 and infinity: unknown */
    double p;         /* two-sided; 1 where the interval is unknown */
};

/* Nothing known: NaN, and 1 for p. */
extern const struct change change_unknown;

/* Both sides need a process. */
struct change change_of(const struct timing *base, const struct timing *now);

/* What a variance between processes is multiplied by to give that of the
 * difference: 1/n + 1/m. */
double change_per_process(const struct timing *base, const struct timing *now);

/* True where 1 lies in the interval, or the interval is unknown. */
bool change_is_noise(const struct change *change);

#endif
