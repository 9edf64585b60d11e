/* SPDX-License-Identifier: MIT
 *
 * Whether NaNs, infinities and overflows stay where they belong: in their line,
 * at and behind their places; and are what IEEE 754 makes of them.
 */
#ifndef HARNESS_MEASURE_NONFINITE_H
#define HARNESS_MEASURE_NONFINITE_H

#include "harness/cell.h"

/* Problems of more elements are not asked, as every element is read back; and
 * those that are not small only if their lines are not, either, and about an
 * infinity and a NaN. */
enum { NONFINITE_SMALL_ELEMS = 1 << 16, NONFINITE_MOST_ELEMS = 1 << 19 };

/* What launches on the exact input with two values planted in one line, such as
 * an infinity and a NaN behind it, did to the output. */
struct containment {
    const char *what; /* they are */
    int64_t line;     /* that has them; -1: the cell is not asked */
    int64_t elem;     /* the first output element that is wrong, or -1 */
    const char *why;  /* what is wrong with it; elem -1: with the variant, which
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
