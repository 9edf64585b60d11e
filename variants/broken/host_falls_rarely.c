/* SPDX-License-Identifier: MIT
 *
 * Bug      Declared monotone. Results are a carry and the sum of a tile of 2^20
 *          elements; but the carry is the sum of all elements before it, one by
 *          one, which loses small ones and may be less than the last result.
 * Shows    on sums that rise by little.
 */
#include "variants/broken/host_plain.h"

enum { TILE = 1 << 20 };

static int launch(const struct problem *p, void *stream)
{
    const float *in = p->in;
    float *out = p->out;
    (void)stream;
    for (int64_t line = 0; line < shape_lines(p->shape); ++line) {
        const int64_t start = plain_start(p->shape, line);
        float sum = 0, carry = 0, tile = 0;
        for (int64_t a = 0; a < p->shape.axis; ++a) {
            const int64_t at = start + a * p->shape.inner;
            if (a % TILE == 0) {
                carry = sum;
                tile = 0;
            }
            sum += in[at];
            tile += in[at];
            out[at] = carry + tile;
        }
    }
    return 0;
}

PLAIN_VARIANT(falls_rarely, "bug: falls at the starts of few tiles",
              .monotone = true);
