/* SPDX-License-Identifier: MIT
 *
 * Bug      A line's last tile of 32, whole or not, is not processed.
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
        const int64_t tiles = (shape.axis - 1) / 32;
        float sum = 0;
        for (int64_t a = 0; a < tiles * 32; ++a) {
            sum += in[start + a * shape.inner];
            out[start + a * shape.inner] = sum;
        }
    }
    return 0;
}

VARIANTS(broken__host_last_tile_dropped) = {
    PLAIN_VARIANT("last_tile_dropped",
                  "bug: the end of a line is not processed"),
    { 0 },
};
