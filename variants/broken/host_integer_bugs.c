/* SPDX-License-Identifier: MIT
 *
 * Bug      One for each variant: a walk along a line of integers or bools,
 *          where one expression is wrong.
 * Shows    any line whose results need more bits, or any element of that kind.
 */
#include "variants/broken/host_plain.h"
#include "variants/broken/integer_bug_list.h"

INTEGER_BUGS(WALK_LAUNCH)

VARIANTS(broken__host_integer_bugs) = { INTEGER_BUGS(INTEGER_ROW){ 0 } };
