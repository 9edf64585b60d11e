/* SPDX-License-Identifier: MIT
 *
 * Bug      A signalling NaN, whose highest bit of the fraction is not set,
 *          counts as 0 in a sum of bf16.
 * Shows    where the NaN of a line is one, which NAN is not.
 */
#include "variants/broken/host_plain.h"

static int launch(const struct problem *p, void *stream)
{
    const struct shape s = p->shape;
    const uint16_t *in = p->in;
    uint16_t *out = p->out;
    (void)stream;
    for (int64_t line = 0; line < shape_lines(s); ++line) {
        const int64_t start = plain_start(s, line);
        float sum = 0;
        for (int64_t a = 0; a < s.axis; ++a) {
            const uint16_t x = in[start + a * s.inner];
            const int magnitude = x & 0x7fff;
            if (magnitude <= 0x7f80 || magnitude >= 0x7fc0)
                sum += bf16_to_float(x);
        }
        out[line] = bf16_from_float(sum);
    }
    return 0;
}

PLAIN_VARIANT_OF(drops_signalling, OP_SUM, DTYPE_BF16,
                 "bug: drops a signalling NaN", .error_growth = ERROR_SERIAL);
