/* SPDX-License-Identifier: MIT
 *
 * Bug      Adds 0 times what lies behind the input.
 * Shows    where NaN lies there.
 */
#include "variants/broken/host_plain.h"

PLAIN_THEN({
    const float behind = in[shape_elems(s)];
    out[shape_elems(s) - 1] += 0 * behind;
})

PLAIN_VARIANT(adds_nothing_behind, "bug: adds 0 times in[n]");
