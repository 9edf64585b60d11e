/* SPDX-License-Identifier: MIT
 *
 * Bug      The sum loses its lowest 8 bits every 65536 elements.
 * Shows    on axes beyond that, if sums have that many bits.
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
            if (a % 65536 == 0)
                sum = float_from_bits(float_bits(sum) & 0xffffff00);
            sum += in[start + a * s.inner];
            out[start + a * s.inner] = sum;
        }
    }
    return 0;
}

VARIANTS(broken__host_coarse_carry) = {
    PLAIN_VARIANT("coarse_carry", "bug: the carry loses 8 bits"),
    { 0 },
};
