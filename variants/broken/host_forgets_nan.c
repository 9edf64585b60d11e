/* SPDX-License-Identifier: MIT
 *
 * Bug      A sum that is NaN begins anew.
 * Shows    a NaN in a line.
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
            sum = a == 0 || isnan(sum) ? 0 : sum;
            sum += x;
            out[at] = sum;
        }
    return 0;
}

VARIANTS(broken__host_forgets_nan) = {
    PLAIN_VARIANT("forgets_nan", "bug: a NaN is forgotten"),
    { 0 },
};
