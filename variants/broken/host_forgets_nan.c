/* SPDX-License-Identifier: MIT
 *
 * Bug      A sum that is NaN restarts.
 * Shows    a NaN in a line.
 */
#include <math.h>

#include "variants/broken/host_plain.h"

PLAIN_LAUNCH(a == 0 || isnan(sum), sum)

PLAIN_VARIANT(forgets_nan, "bug: a NaN is forgotten");
