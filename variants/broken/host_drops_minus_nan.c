/* SPDX-License-Identifier: MIT
 *
 * Bug      A NaN whose sign is set counts as 0.
 * Shows    where the NaN of a line is one, which NAN is not.
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
            const float x = in[start + a * s.inner];
            sum += float_bits(x) > 0xff800000 ? 0 : x;
            out[start + a * s.inner] = sum;
        }
    }
    return 0;
}

VARIANTS(broken__host_drops_minus_nan) = {
    PLAIN_VARIANT("drops_minus_nan", "bug: drops a NaN whose sign is set"),
    { 0 },
};
