/* SPDX-License-Identifier: MIT
 *
 * Bug      Sums of doubles are carried in float from one 1024 to the next.
 * Shows    if sums have more bits than a float.
 */
#include "variants/broken/host_plain.h"

static int launch(const struct problem *p, void *stream)
{
    const struct shape s = p->shape;
    const double *in = p->in;
    double *out = p->out;
    (void)stream;
    for (int64_t line = 0; line < shape_lines(s); ++line) {
        const int64_t start = plain_start(s, line);
        double sum = 0;
        for (int64_t a = 0; a < s.axis; ++a) {
            if (a % 1024 == 0)
                sum = (float)sum;
            sum += in[start + a * s.inner];
            out[start + a * s.inner] = sum;
        }
    }
    return 0;
}

PLAIN_VARIANT_OF(float_carry, OP_CUMSUM, DTYPE_F64,
                 "bug: doubles carried in float", .error_growth = ERROR_SERIAL);
