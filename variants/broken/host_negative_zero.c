/* SPDX-License-Identifier: MIT
 *
 * Bug      Sums that are 0 are -0.
 * Shows    where a sum is 0, in its sign.
 */
#include "variants/broken/host_plain.h"

PLAIN_THEN({
    for (int64_t k = 0; k < shape_elems(s); ++k)
        if (out[k] == 0)
            out[k] = -0.0f;
})

PLAIN_VARIANT(negative_zero, "bug: -0 for 0");
