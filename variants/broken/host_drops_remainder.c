/* SPDX-License-Identifier: MIT
 *
 * Bug      What is left of a line behind its last eight steps is not added.
 * Shows    lines whose length is no multiple of 8.
 */
#include "variants/broken/host_plain.h"

PLAIN_STEPS({
    sum += a < s.axis / 8 * 8 ? in[at] : 0;
    out[at] = sum;
})

PLAIN_VARIANT(drops_remainder, "bug: the remainder is not added");
