/* SPDX-License-Identifier: MIT
 *
 * Bug      The input serves as scratch: it ends as the sums, too.
 * Shows    axis >= 2; the output is right, the first time.
 */
#include "variants/broken/host_plain.h"

static int launch(const struct problem *p, void *stream)
{
    (void)stream;
    float *in = (float *)p->in;
    for (int64_t line = 0; line < shape_lines(p->shape); ++line)
        plain_cumsum(in, in, p->shape, plain_start(p->shape, line),
                     plain_start(p->shape, line));
    memcpy(p->out, in, (size_t)shape_elems(p->shape) * sizeof *in);
    return 0;
}

PLAIN_VARIANT(changes_input, "bug: writes to the input");
