/* SPDX-License-Identifier: MIT
 *
 * Whether a variant gives the same bits in every launch: one that says so on
 * real input, any other on exact input.
 */
#ifndef HARNESS_MEASURE_REPEAT_H
#define HARNESS_MEASURE_REPEAT_H

#include "harness/cell.h"

/* A cell that is still at it after so long is left, but not before so many
 * launches after the first. */
#define REPEAT_ENOUGH_S 0.5
enum { REPEAT_LEAST = 3 };

/* Where a launch's output differed from the first launch's. */
struct repeated {
    int launch;   /* from 1; 0: all gave the same bits */
    int times;    /* that it was launched after the first */
    int64_t elem; /* the first element of the output that differs */
};

/* Launches the cell's problem once, and `times` more (fewer, by the rule above,
 * where they take long), each from a poisoned output and compared bit for bit
 * on the device; the workspace is garbage, and what the last launch left, in
 * turn. Needs memory for one more output. NULL, or what went wrong (see
 * harness/device/device.h). */
const char *repeat_launches(const struct cell *cell,
                            const struct problem *problem,
                            const struct device *device, int times,
                            struct repeated *repeated);

#endif
