/* SPDX-License-Identifier: MIT
 *
 * Bug      Declared monotone. A result is a carry plus the tile's sum so far;
 *          the carry, summed in double, is rounded down, but the result before
 *          it is rounded to nearest.
 * Shows    on sums that rise by little.
 */
#include "variants/broken/host_plain.h"

#include <math.h>

enum { TILE = 8 };

static int launch(const struct problem *p, void *stream)
{
    const float *in = p->in;
    float *out = p->out;
    (void)stream;
    for (int64_t line = 0; line < shape_lines(p->shape); ++line) {
        const int64_t start = plain_start(p->shape, line);
        double sum = 0;
        float carry = 0, tile = 0;
        for (int64_t a = 0; a < p->shape.axis; ++a) {
            const int64_t at = start + a * p->shape.inner;
            if (a % TILE == 0) {
                carry = (float)sum;
                if (isfinite(carry) && (double)carry > sum)
                    carry = nextafterf(carry, -INFINITY);
                tile = 0;
            }
            sum += in[at];
            tile += in[at];
            out[at] = carry + tile;
        }
    }
    return 0;
}

PLAIN_VARIANT(carry_down, "bug: falls where a carry is rounded down",
              .monotone = true);
