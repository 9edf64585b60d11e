/* SPDX-License-Identifier: MIT
 *
 * Bug      The element in the middle of a line is read one place too early.
 * Shows    axis >= 2.
 */
#include "variants/broken/host_plain.h"

PLAIN_STEPS({
    const bool middle = a > 0 && a == s.axis / 2;
    sum += in[middle ? at - s.inner : at];
    out[at] = sum;
})

PLAIN_VARIANT(off_by_one, "bug: one element is read one place too early");
