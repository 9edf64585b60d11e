/* SPDX-License-Identifier: MIT
 *
 * Whether a NaN and an infinity stay where they belong: in their line, at and
 * behind their places.
 */
#ifndef HARNESS_NONFINITE_H
#define HARNESS_NONFINITE_H

#include "harness/cell.h"

/* Problems of more elements are not asked: every element is read back. */
enum { NONFINITE_MOST_ELEMS = 1 << 16 };

/* What a launch on the exact input with an infinity and, behind it, a NaN in
 * one line did to the output. */
struct containment {
    int64_t line;    /* that has them; -1: the cell is not asked */
    int64_t elem;    /* the first output element that is wrong, or -1 */
    const char *why; /* what is wrong with it; elem -1: with the variant, which
                        says that it spreads them, and does not */
};

/* Launches the cell's problem, which holds the exact input, with and without
 * them; the input is put back. NULL, or what went wrong (see
 * harness/device/device.h). */
const char *nonfinite_launches(const struct cell *cell,
                               const struct problem *problem,
                               const struct device *device,
                               struct containment *containment);

#endif
