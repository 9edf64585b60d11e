/* SPDX-License-Identifier: MIT
 *
 * Bug      One for each variant: see integer_bug_list.h.
 * Shows    any line whose results need more bits, or any element of that kind.
 */
#include "variants/broken/integer_bug_list.h"
#include "variants/broken/plain.cuh"

INTEGER_BUGS(WALK_LAUNCH)

VARIANTS(broken__integer_bugs) = { INTEGER_BUGS(INTEGER_ROW){} };
