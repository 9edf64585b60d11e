/* SPDX-License-Identifier: MIT
 *
 * Bug      Lines are counted in 16 bits: those beyond are not served.
 * Shows    more than 65536 lines.
 */
#include "variants/broken/host_plain.h"

static int launch(const struct problem *p, void *stream)
{
    const struct shape s = p->shape;
    (void)stream;
    for (int64_t line = 0; line < shape_lines(s) && line < 65536; ++line)
        plain_cumsum(p->in, p->out, s, plain_start(s, line),
                     plain_start(s, line));
    return 0;
}

PLAIN_VARIANT(narrow_lines, "bug: lines in 16 bits");
