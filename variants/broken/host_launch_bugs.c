/* SPDX-License-Identifier: MIT
 *
 * Bug      One for each variant: see launch_bug_list.h.
 * Shows    see docs/verification.md.
 */
#include "variants/broken/launch_bug_list.h"
#include "variants/broken/host_plain.h"

LAUNCH_BUGS(LAUNCH_LAUNCH)

VARIANTS(broken__host_launch_bugs) = { LAUNCH_BUGS(LAUNCH_ROW){ 0 } };
