/* SPDX-License-Identifier: MIT
 *
 * Bug      A flip through arithmetic: signalling NaNs come out quiet.
 * Shows    where bits are compared, on any bits.
 */
#include "variants/broken/host_plain.h"

static int launch(const struct problem *p, void *stream)
{
    const struct shape s = p->shape;
    const uint32_t *in = p->in;
    uint32_t *out = p->out;
    (void)stream;
    for (int64_t line = 0; line < shape_lines(s); ++line) {
        const int64_t start = plain_start(s, line);
        for (int64_t a = 0; a < s.axis; ++a) {
            const uint32_t x = in[start + a * s.inner];
            const bool nan = (x & 0x7fffffff) > 0x7f800000;
            out[start + (s.axis - 1 - a) * s.inner] = nan ? x | 0x400000 : x;
        }
    }
    return 0;
}

PLAIN_VARIANT_OF(quiets_nans, OP_FLIP, DTYPE_F32,
                 "bug: a flip that changes NaNs", .error_growth = ERROR_NONE);
