/* SPDX-License-Identifier: MIT
 *
 * Bug      The sum loses its lowest 8 bits every 65536 elements.
 * Shows    on axes beyond that, if sums have that many bits.
 */
#include "variants/broken/host_plain.h"

PLAIN_STEPS({
    if (a % 65536 == 0)
        sum = float_from_bits(float_bits(sum) & 0xffffff00);
    sum += in[at];
    out[at] = sum;
})

PLAIN_VARIANT(coarse_carry, "bug: the carry loses 8 bits");
