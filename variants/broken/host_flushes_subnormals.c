/* SPDX-License-Identifier: MIT
 *
 * Bug      Subnormal inputs count as 0, and it does not say so.
 * Shows    where there are any.
 */
#include "variants/broken/host_plain.h"

PLAIN_STEPS({
    sum += (float_bits(in[at]) & 0x7f800000) ? in[at] : 0;
    out[at] = sum;
})

PLAIN_VARIANT(flushes_subnormals, "bug: subnormals count as 0");
