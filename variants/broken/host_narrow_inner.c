/* SPDX-License-Identifier: MIT
 *
 * Bug      The inner extent is taken as 16 bits: of wider rows only the lower
 *          part is served.
 * Shows    inner beyond 65535.
 */
#include "variants/broken/host_plain.h"

static int launch(const struct problem *p, void *stream)
{
    const struct shape s = p->shape;
    (void)stream;
    for (int64_t line = 0; line < shape_lines(s); ++line)
        if (s.inner < 65536 || line % s.inner < s.inner % 65536)
            plain_cumsum(p->in, p->out, s, plain_start(s, line),
                         plain_start(s, line));
    return 0;
}

PLAIN_VARIANT(narrow_inner, "bug: inner in 16 bits");
