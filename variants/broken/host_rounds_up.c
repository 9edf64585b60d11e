/* SPDX-License-Identifier: MIT
 *
 * Bug      The processor is left rounding upward.
 * Shows    in the sums of whatever runs behind it.
 */
#include "variants/broken/host_plain.h"

#include <fenv.h>

static int launch(const struct problem *p, void *stream)
{
    const struct shape s = p->shape;
    const float *in = p->in;
    float *out = p->out;
    (void)stream;
    for (int64_t line = 0; line < shape_lines(s); ++line) {
        const int64_t start = plain_start(s, line);
        float sum = 0;
        for (int64_t a = 0; a < s.axis; ++a)
            out[start + a * s.inner] = sum += in[start + a * s.inner];
    }
    return fesetround(FE_UPWARD);
}

VARIANTS(broken__host_rounds_up) = {
    PLAIN_VARIANT("rounds_up", "bug: the processor is left rounding upward"),
    { 0 },
};
