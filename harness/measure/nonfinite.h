/* SPDX-License-Identifier: MIT
 *
 * Tests that NaNs, infinities and overflows follow IEEE 754, and that they stay
 * in their line, at and after their position.
 */
#ifndef HARNESS_MEASURE_NONFINITE_H
#define HARNESS_MEASURE_NONFINITE_H

#include "harness/cell.h"

/* Larger problems are not tested, because every element is read back. Between
 * the two sizes, only an infinity and a NaN are tested, in long lines. */
enum { NONFINITE_SMALL_ELEMS = 1 << 16, NONFINITE_MOST_ELEMS = 1 << 19 };

/* The finding of launches on the exact input with two values planted in one
 * line, such as an infinity and, after it, a NaN. */
struct containment {
    const char *what; /* the values */
    int64_t line;     /* -1 if the cell is not tested */
    int64_t elem;     /* the first wrong element of the output, or -1 */
    const char *why;  /* the reason; with elem -1, the variant does not spread
                         them as it declares */
};

/* Launches the cell's problem, which holds the exact input, without and with
 * them, and restores the input. Returns NULL or an error of the device. */
const char *nonfinite_launches(const struct cell *cell,
                               const struct problem *problem,
                               const struct device *device,
                               struct containment *containment);

#endif
