/* SPDX-License-Identifier: MIT
 *
 * Bug      Sums end at the largest finite number.
 * Shows    infinities, and sums beyond it.
 */
#include <float.h>
#include <math.h>

#include "variants/broken/host_plain.h"

PLAIN_LAUNCH(a == 0, fminf(sum, FLT_MAX))

PLAIN_VARIANT(saturates, "bug: infinity is the largest number");
