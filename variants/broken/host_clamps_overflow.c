/* SPDX-License-Identifier: MIT
 *
 * Bug      A finite sum beyond the largest number is stored as that, not as an
 *          infinity.
 * Shows    where finite numbers overflow.
 */
#include <math.h>

#include "variants/broken/host_plain.h"

static double clamped(double sum)
{
    const double most = dtype_max(DTYPE_F16);
    return isinf(sum) ? sum : sum > most ? most : sum < -most ? -most : sum;
}

PLAIN_STEPS_OF(uint16_t, {
    sum += (float)dtype_load(DTYPE_F16, in, at);
    dtype_store(DTYPE_F16, out, at, clamped(sum));
})

PLAIN_VARIANT_OF(clamps_overflow, OP_CUMSUM, DTYPE_F16,
                 "bug: what overflows ends at the largest number",
                 .error_growth = ERROR_SERIAL);
