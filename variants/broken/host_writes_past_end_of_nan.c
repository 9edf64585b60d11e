/* SPDX-License-Identifier: MIT
 *
 * Bug      One element behind the output is written, too, where the sum is NaN.
 * Shows    by guard bands, after a launch on a NaN.
 */
#include "variants/broken/host_plain.h"

PLAIN_THEN({
    const int64_t elems = shape_elems(s);
    bool has_nan = false;
    for (int64_t k = 0; k < elems; ++k)
        has_nan |= in[k] != in[k];
    if (has_nan)
        out[elems] = 0;
})

PLAIN_VARIANT(writes_past_end_of_nan, "bug: writes behind the output of a NaN");
