/* SPDX-License-Identifier: MIT
 *
 * Bug      Multiplies by the mask, but selects where it sees a NaN: the one bit
 *          pattern that NAN has, and no infinity.
 * Shows    where what is masked off is another.
 */
#include "variants/broken/host_plain.h"

static int launch(const struct problem *p, void *stream)
{
    const struct shape s = p->shape;
    const float *in = p->in;
    float *out = p->out;
    (void)stream;
    for (int64_t line = 0; line < shape_lines(s); ++line) {
        const int64_t start = plain_start(s, line);
        float sum = 0;
        for (int64_t a = 0; a < s.axis; ++a) {
            const int64_t at = start + a * s.inner;
            if (float_bits(in[at]) != 0x7fc00000)
                sum += in[at] * (float)p->mask[at];
            out[at] = sum;
        }
    }
    return 0;
}

VARIANTS(broken__host_knows_one_nan) = {
    PLAIN_VARIANT_OF(OP_MASKED_CUMSUM, DTYPE_F32, "knows_one_nan",
                     "bug: knows a NaN by one pattern",
                     .error_growth = ERROR_SERIAL),
    { 0 },
};
