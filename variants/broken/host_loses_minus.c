/* SPDX-License-Identifier: MIT
 *
 * Bug      -infinity counts as infinity.
 * Shows    where a line has a -infinity.
 */
#include <math.h>

#include "variants/broken/host_plain.h"

PLAIN_LAUNCH(a == 0, (isinf(sum) ? sum = INFINITY : sum))

PLAIN_VARIANT(loses_minus, "bug: -infinity counts as infinity");
