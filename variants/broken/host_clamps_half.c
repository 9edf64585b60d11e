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
    { .name = "clamps_half",
      .idea = "bug: clamps f16 at 30000",
      .runs_on = DEVICE_HOST,
      .ops = OP_BIT(OP_CUMSUM),
      .dtypes = DTYPE_BIT(DTYPE_F16),
      .passes = 1,
      .error_growth = ERROR_SERIAL,
      .deterministic = true,
      .launch = launch },
    { 0 },
};
