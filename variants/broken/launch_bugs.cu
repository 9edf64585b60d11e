/* SPDX-License-Identifier: MIT
 *
 * Bug      One for each variant: see launch_bug_list.h.
 * Shows    see docs/verification.md.
 */
#include "variants/broken/launch_bug_list.h"
#include "variants/broken/plain.cuh"

LAUNCH_BUGS(LAUNCH_LAUNCH)

VARIANTS(broken__launch_bugs) = { LAUNCH_BUGS(LAUNCH_ROW){} };
