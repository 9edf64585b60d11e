/* SPDX-License-Identifier: MIT
 *
 * Bug      Subnormal inputs count as 0, and it does not say so.
 * Shows    where there are any.
 */
#include "variants/broken/plain.cuh"

PLAIN_STEPS({
    sum += fabsf(in[at]) < 0x1p-126f ? 0 : in[at];
    out[at] = sum;
})

PLAIN_VARIANT(flushes_subnormals, "bug: subnormals count as 0", launch);
