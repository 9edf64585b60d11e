/* SPDX-License-Identifier: MIT
 *
 * Bug      Between lines the carry is multiplied by 0 instead of set to 0: a
 *          NaN or an infinity stays in it.
 * Shows    where a line with one is followed by another; on finite input never.
 */
#include "variants/broken/host_plain.h"

static int launch(const struct problem *p, void *stream)
{
    const struct shape s = p->shape;
    const float *in = p->in;
    float *out = p->out, sum = 0;
    (void)stream;
    for (int64_t line = 0; line < shape_lines(s); ++line, sum *= 0)
        for (int64_t a = 0; a < s.axis; ++a) {
            const int64_t e = plain_start(s, line) + a * s.inner;
            sum += in[e];
            out[e] = sum;
        }
    return 0;
}

PLAIN_VARIANT(nan_spreads, "bug: a NaN reaches the lines behind");
