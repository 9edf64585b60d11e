/* SPDX-License-Identifier: MIT
 *
 * How samples are spread, in a few equal bins from the least to the largest;
 * what lies far beyond the quartiles is in the last bin, whose share says so,
 * and does not squeeze the rest into the first.
 */
#ifndef SRC_BASE_HISTOGRAM_H
#define SRC_BASE_HISTOGRAM_H

#include <stddef.h>

enum { HISTOGRAM_BINS = 24 };
struct histogram {
    double low, high; /* of the bins */
    double most;      /* the largest sample: high, or beyond it */
    size_t count[HISTOGRAM_BINS], fullest; /* of those counts the largest */
};

/* Of one sample or more, none of them NaN; sorts them in place. */
struct histogram histogram_of(double *samples, size_t count);

/* A character each bin, from ' ' (none) to '@' (the fullest); the text has room
 * for HISTOGRAM_BINS + 1. */
char *histogram_strip(const struct histogram *histogram, char *text);

#endif
