/* SPDX-License-Identifier: MIT
 *
 * Bug      Sums in f16 are clamped at 30000.
 * Shows    where sums come near the largest number.
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
            sum += f16_to_float(in[start + a * s.inner]);
            out[start + a * s.inner] =
                f16_from_float(sum > 30000 ? 30000 : sum);
        }
    }
    return 0;
}

VARIANTS(broken__host_clamps_half) = {
    PLAIN_VARIANT_OF(OP_CUMSUM, DTYPE_F16, "clamps_half",
                     "bug: clamps f16 at 30000", .error_growth = ERROR_SERIAL),
    { 0 },
};
