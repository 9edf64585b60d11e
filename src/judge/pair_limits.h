/* SPDX-License-Identifier: MIT
 *
 * What the limits of a comparison are for one of its pairs.
 */
#ifndef SRC_JUDGE_PAIR_LIMITS_H
#define SRC_JUDGE_PAIR_LIMITS_H

#include "src/judge/pair.h"

/* The limits for one of the pairs: the comparison's, with its own kin and near,
 * and with launch_cost_floor() as the floor in microseconds, if that is higher.
 */
struct limits pair_limits(const struct comparison *comparison,
                          const struct pair *pair);

/* True of a pair so short that its floor in microseconds is above the relative
 * one. */
bool pair_short(const struct comparison *comparison, const struct pair *pair);

#endif
