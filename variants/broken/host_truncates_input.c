/* SPDX-License-Identifier: MIT
 *
 * Bug      On an axis beyond 32768, inputs lose their lower 16 bits.
 * Shows    on long axes, where the exact input has more bits than that.
 */
#include "variants/broken/host_plain.h"

static int launch(const struct problem *p, void *stream)
{
    const struct shape s = p->shape;
    const float *in = p->in;
    float *out = p->out;
    (void)stream;
    if (s.axis <= 32768) {
        plain_run(p);
        return 0;
    }
    for (int64_t line = 0; line < shape_lines(s); ++line) {
        const int64_t start = plain_start(s, line);
        float sum = 0;
        for (int64_t a = 0; a < s.axis; ++a) {
            const uint32_t bits = float_bits(in[start + a * s.inner]);
            sum += float_from_bits(bits & 0xffff0000);
            out[start + a * s.inner] = sum;
        }
    }
    return 0;
}

VARIANTS(broken__host_truncates_input) = {
    PLAIN_VARIANT("truncates_input", "bug: inputs of long axes are cut"),
    { 0 },
};
