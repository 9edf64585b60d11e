/* SPDX-License-Identifier: MIT
 *
 * Bug      The element in the middle of a line is read one place too early.
 * Shows    axis >= 2.
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
        float sum = 0;
        for (int64_t a = 0; a < shape.axis; ++a) {
            const int64_t read = a > 0 && a == shape.axis / 2 ? a - 1 : a;
            sum += in[start + read * shape.inner];
            out[start + a * shape.inner] = sum;
        }
    }
    return 0;
}

VARIANTS(broken__host_off_by_one) = {
    PLAIN_VARIANT("off_by_one", "bug: one element is read one place too early"),
    { 0 },
};
