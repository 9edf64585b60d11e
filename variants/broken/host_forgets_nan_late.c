/* SPDX-License-Identifier: MIT
 *
 * Bug      A sum that is NaN restarts where tiles of 2^17 elements meet.
 * Shows    a NaN in a line of several such tiles.
 */
#include <math.h>

#include "variants/broken/host_plain.h"

PLAIN_LAUNCH(a == 0 || (a % (1 << 17) == 0 && isnan(sum)), sum)

PLAIN_VARIANT(forgets_nan_late, "bug: a NaN is forgotten by far tiles");
