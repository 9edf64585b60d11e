/* SPDX-License-Identifier: MIT
 *
 * Bug      Multiplies by the mask, but selects where it sees a NaN: the one bit
 *          pattern that NAN has, and no infinity.
 * Shows    where what is masked off is another.
 */
#include "variants/broken/host_plain.h"

PLAIN_STEPS({
    if (float_bits(in[at]) != 0x7fc00000)
        sum += in[at] * (float)p->mask[at];
    out[at] = sum;
})

PLAIN_VARIANT_OF(knows_one_nan, OP_MASKED_CUMSUM, DTYPE_F32,
                 "bug: knows a NaN by one pattern",
                 .error_growth = ERROR_SERIAL);
