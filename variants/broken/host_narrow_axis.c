/* SPDX-License-Identifier: MIT
 *
 * Bug      The steps along a line are counted in 16 bits: the sum begins anew
 * where the count does. Shows    lines longer than 65536.
 */
#include "variants/broken/host_plain.h"

static int launch(const struct problem *p, void *stream)
{
    const struct shape s = p->shape;
    const float *in = p->in;
    float *out = p->out, sum = 0;
    (void)stream;
    for (int64_t line = 0; line < shape_lines(s); ++line)
        for (int64_t a = 0; a < s.axis; ++a) {
            const int64_t at = plain_start(s, line) + a * s.inner;
            const float x = in[at];
            sum = a % 65536 == 0 ? 0 : sum;
            sum += x;
            out[at] = sum;
        }
    return 0;
}

VARIANTS(broken__host_narrow_axis) = {
    PLAIN_VARIANT("narrow_axis", "bug: steps in 16 bits"),
    { 0 },
};
