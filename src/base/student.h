/* SPDX-License-Identifier: MIT
 *
 * Student's t distribution, two-sided, for whole degrees of freedom: finite
 * sums (Abramowitz, Stegun, Handbook of Mathematical Functions, 26.7.3 and
 * 26.7.4), exact to rounding.
 */
#ifndef SRC_BASE_STUDENT_H
#define SRC_BASE_STUDENT_H

#include <stddef.h>

/* The chance that |T| is above t, for t from 0 on; infinite t has 0. */
double student_p(double t, size_t degrees);

/* The t that |T| exceeds with this chance, in (0, 1). */
double student_t(double p, size_t degrees);

#endif
