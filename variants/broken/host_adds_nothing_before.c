/* SPDX-License-Identifier: MIT
 *
 * Bug      Adds 0 times what lies before the input.
 * Shows    where NaN lies there.
 */
#include "variants/broken/host_plain.h"

PLAIN_THEN({
    const float before = in[-1];
    out[0] += 0 * before;
})

PLAIN_VARIANT(adds_nothing_before, "bug: adds 0 times in[-1]");
