/* SPDX-License-Identifier: MIT
 *
 * How much launches of the same code scatter, told by the runs that are
 * compared: between the launches of either side, never between the sides.
 * Standard deviations of the logarithm of a launch's time.
 */
#ifndef SRC_JUDGE_SCATTER_H
#define SRC_JUDGE_SCATTER_H

#include "src/judge/pair.h"

/* Of a typical cell: the median. Short cells scatter more and have a floor of
 * their own, so they count only if there is nothing else. NaN: unknown, one
 * launch a side. */
double scatter_typical(const struct comparison *comparison);

/* Sets every timed pair's kin and near: the root mean square over the cells of
 * the same variant, or of all variants, in the same cache state that take half
 * to twice as long, itself among them. One cell's few launches say too little:
 * what jumps to and fro from process to process (a launch of two kernels does)
 * may stand still in them. */
void scatter_set_kin(struct comparison *comparison);

#endif
