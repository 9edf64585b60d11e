/* SPDX-License-Identifier: MIT
 *
 * Bug      The steps along a line are counted in 16 bits: the sum restarts
 *          where the count does.
 * Shows    lines longer than 65536.
 */
#include "variants/broken/host_plain.h"

PLAIN_LAUNCH(a % 65536 == 0, sum)

PLAIN_VARIANT(narrow_axis, "bug: steps in 16 bits");
