/* SPDX-License-Identifier: MIT
 *
 * Bug      What is smaller than 2^-20 is dropped.
 * Shows    where sums consist of such numbers.
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
            sum += x < 0x1p-20f && x > -0x1p-20f ? 0 : x;
            out[start + a * s.inner] = sum;
        }
    }
    return 0;
}

VARIANTS(broken__host_drops_tiny) = {
    PLAIN_VARIANT("drops_tiny", "bug: tiny numbers are dropped"),
    { 0 },
};
