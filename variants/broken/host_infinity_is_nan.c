/* SPDX-License-Identifier: MIT
 *
 * Bug      An infinite sum comes out as NaN.
 * Shows    an infinity in a line.
 */
#include <math.h>

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
            sum += x;
            out[at] = isinf(sum) ? NAN : sum;
        }
    return 0;
}

VARIANTS(broken__host_infinity_is_nan) = {
    PLAIN_VARIANT("infinity_is_nan", "bug: infinity becomes NaN"),
    { 0 },
};
