/* SPDX-License-Identifier: MIT
 *
 * Bug      One for each variant: see recurrence_bug_list.h.
 * Shows    lines of several tiles, or with an initial element.
 */
#include "variants/broken/host_plain.h"
#include "variants/broken/recurrence_bug_list.h"

RECURRENCE_BUGS(WALK_LAUNCH)

VARIANTS(broken__host_recurrence_bugs) = { RECURRENCE_BUGS(RECURRENCE_ROW){
    0 } };
