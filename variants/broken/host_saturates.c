/* SPDX-License-Identifier: MIT
 *
 * Bug      Sums end at the largest finite number.
 * Shows    infinities, and sums beyond it.
 */
#include <float.h>
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
            out[at] = fminf(sum, FLT_MAX);
        }
    return 0;
}

VARIANTS(broken__host_saturates) = {
    PLAIN_VARIANT("saturates", "bug: infinity is the largest number"),
    { 0 },
};
