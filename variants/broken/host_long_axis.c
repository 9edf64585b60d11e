/* SPDX-License-Identifier: MIT
 *
 * Bug      The sum restarts after 2^19 steps.
 * Shows    where an axis is longer.
 */
#include "variants/broken/host_plain.h"

PLAIN_LAUNCH(a == 0 || a == 1 << 19, sum)

PLAIN_VARIANT(long_axis, "bug: the sum of a long axis restarts");
