/* SPDX-License-Identifier: MIT
 *
 * Pairs the cells of two runs and judges each pair.
 */
#ifndef SRC_JUDGE_COMPARISON_H
#define SRC_JUDGE_COMPARISON_H

#include "src/judge/pair.h"

/* Pairs two runs in order of their cells. `judge` false: ratios only. What is
 * faster but has become suspect is unclear. The limits' drift is replaced by
 * that of these runs. Rows are pointed at, not copied. */
struct comparison compare_runs(const struct run_folder *base,
                               const struct run_folder *now,
                               const struct limits *limits, bool judge);
void compare_free(struct comparison *comparison);

/* Puts the worst first: by verdict, then by how far from 1. */
void compare_sort(struct comparison *comparison);

/* The geometric mean of now / base over an operation's timed pairs, and their
 * number; NaN without any. Cells marked near_empty are left out: all of them go
 * by what launching costs in that process, and would move the mean together. */
double compare_geomean(const struct comparison *comparison, enum op op,
                       size_t *cells);

#endif
