/* SPDX-License-Identifier: MIT
 *
 * Bug      The sum is stored before the element is added.
 * Shows    always.
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
            out[start + a * shape.inner] = sum;
            sum += in[start + a * shape.inner];
        }
    }
    return 0;
}

VARIANTS(broken__host_exclusive_for_inclusive) = {
    PLAIN_VARIANT("exclusive_for_inclusive",
                  "bug: an exclusive scan instead of an inclusive one"),
    { 0 },
};
