/* SPDX-License-Identifier: MIT
 *
 * Bug      Where a line's length is odd, its sum goes on in the next.
 * Shows    odd lengths, in several lines.
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
            sum = a > 0 || (s.axis % 2 && line > 0) ? sum : 0;
            sum += x;
            out[at] = sum;
        }
    return 0;
}

VARIANTS(broken__host_carries_over) = {
    PLAIN_VARIANT("carries_over", "bug: odd lines carry into the next"),
    { 0 },
};
