/* SPDX-License-Identifier: MIT
 *
 * Bug      One for each variant: see operator_bug_list.h.
 * Shows    any line of the operation, or one with a NaN.
 */
#include "variants/broken/operator_bug_list.h"
#include "variants/broken/plain.cuh"

OPERATOR_BUGS(WALK_LAUNCH)

VARIANTS(broken__operator_bugs) = { OPERATOR_BUGS(OPERATOR_ROW){} };
