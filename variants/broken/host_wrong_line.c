/* SPDX-License-Identifier: MIT
 *
 * Bug      The first two lines get each other's sums.
 * Shows    outer * inner >= 2.
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
        const bool swap = line < 2 && shape_lines(shape) > 1;
        plain_cumsum(in, out, shape, start,
                     plain_start(shape, swap ? 1 - line : line));
    }
    return 0;
}

PLAIN_VARIANT(wrong_line, "bug: two lines are swapped");
