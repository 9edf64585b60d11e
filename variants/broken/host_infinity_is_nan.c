/* SPDX-License-Identifier: MIT
 *
 * Bug      An infinite sum comes out as NaN.
 * Shows    an infinity in a line.
 */
#include <math.h>

#include "variants/broken/host_plain.h"

PLAIN_LAUNCH(a == 0, isinf(sum) ? NAN : sum)

PLAIN_VARIANT(infinity_is_nan, "bug: infinity becomes NaN");
