/* SPDX-License-Identifier: MIT
 *
 * Bug      One for each variant: see recurrence_bug_list.h.
 * Shows    lines of several tiles, or with an initial element.
 */
#include "variants/broken/plain.cuh"
#include "variants/broken/recurrence_bug_list.h"

RECURRENCE_BUGS(WALK_LAUNCH)

VARIANTS(broken__recurrence_bugs) = { RECURRENCE_BUGS(RECURRENCE_ROW){} };
