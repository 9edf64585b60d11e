/* SPDX-License-Identifier: MIT
 *
 * Bug      The middle of the last line is never written.
 * Shows    always, if the output was poisoned before.
 */
#include "variants/broken/host_plain.h"

static int launch(const struct problem *p, void *stream)
{
    (void)stream;
    const struct shape shape = p->shape;
    const float *in = p->in;
    float *out = p->out;
    for (int64_t line = 0; line < shape_lines(shape); ++line) {
        const int64_t start = plain_start(shape, line);
        const bool last = line == shape_lines(shape) - 1;
        float sum = 0;
        for (int64_t a = 0; a < shape.axis; ++a) {
            sum += in[start + a * shape.inner];
            if (!(last && a == shape.axis / 2))
                out[start + a * shape.inner] = sum;
        }
    }
    return 0;
}

VARIANTS(broken__host_unwritten_output) = {
    PLAIN_VARIANT("unwritten_output", "bug: one output is never written"),
    { 0 },
};
