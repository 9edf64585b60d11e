/* SPDX-License-Identifier: MIT
 *
 * Bug      Sums in f16 are clamped at 30000.
 * Shows    where sums come near the largest number.
 */
#include "variants/broken/host_plain.h"

PLAIN_STEPS_OF(uint16_t, {
    sum += f16_to_float(in[at]);
    out[at] = f16_from_float(sum > 30000 ? 30000 : sum);
})

PLAIN_VARIANT_OF(clamps_half, OP_CUMSUM, DTYPE_F16, "bug: clamps f16 at 30000",
                 .error_growth = ERROR_SERIAL);
