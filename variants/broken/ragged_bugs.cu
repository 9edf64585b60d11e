/* SPDX-License-Identifier: MIT
 *
 * Bug      One for each variant: see ragged_bug_list.h.
 * Shows    ragged shapes.
 */
#include "variants/broken/plain.cuh"
#include "variants/broken/ragged_bug_list.h"

RAGGED_BUGS(WALK_LAUNCH)

VARIANTS(broken__ragged_bugs) = { RAGGED_BUGS(RAGGED_ROW){} };
