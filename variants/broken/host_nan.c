/* SPDX-License-Identifier: MIT
 *
 * Bug      The last sum of the last line is NaN.
 * Shows    always, unless NaN compares as no worse than the bound.
 */
#include <math.h>

#include "variants/broken/host_plain.h"

PLAIN_THEN({ out[shape_elems(s) - 1] = NAN; })

PLAIN_VARIANT(nan, "bug: one output is NaN");
