/* SPDX-License-Identifier: MIT
 *
 * Bug      Subnormal inputs count as 0, and it does not say so.
 * Shows    where there are any.
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
            sum += (float_bits(x) & 0x7f800000) ? x : 0;
            out[start + a * s.inner] = sum;
        }
    }
    return 0;
}

VARIANTS(broken__host_flushes_subnormals) = {
    PLAIN_VARIANT("flushes_subnormals", "bug: subnormals count as 0"),
    { 0 },
};
