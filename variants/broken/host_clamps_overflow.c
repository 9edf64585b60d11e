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

static int launch(const struct problem *p, void *stream)
{
    const struct shape s = p->shape;
    (void)stream;
    for (int64_t line = 0; line < shape_lines(s); ++line) {
        float sum = 0;
        for (int64_t a = 0; a < s.axis; ++a) {
            const int64_t at = plain_start(s, line) + a * s.inner;
            sum += (float)dtype_load(DTYPE_F16, p->in, at);
            dtype_store(DTYPE_F16, p->out, at, clamped(sum));
        }
    }
    return 0;
}

VARIANTS(broken__host_clamps_overflow) = {
    PLAIN_VARIANT_OF(OP_CUMSUM, DTYPE_F16, "clamps_overflow",
                     "bug: what overflows ends at the largest number",
                     .error_growth = ERROR_SERIAL),
    { 0 },
};
