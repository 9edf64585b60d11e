/* SPDX-License-Identifier: MIT
 *
 * Bug      What is left of a line behind its last eight steps is not added.
 * Shows    lines whose length is no multiple of 8.
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
            sum = a == 0 ? 0 : sum;
            sum += a < s.axis / 8 * 8 ? x : 0;
            out[at] = sum;
        }
    return 0;
}

VARIANTS(broken__host_drops_remainder) = {
    PLAIN_VARIANT("drops_remainder", "bug: the remainder is not added"),
    { 0 },
};
