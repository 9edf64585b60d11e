/* SPDX-License-Identifier: MIT
 *
 * Bug      Of strided lines, the last of a row is its neighbour's once more.
 * Shows    inner > 1.
 */
#include "variants/broken/host_plain.h"

static int launch(const struct problem *p, void *stream)
{
    const struct shape s = p->shape;
    (void)stream;
    plain_run(p);
    for (int64_t line = s.inner - 1; s.inner > 1 && line < shape_lines(s);
         line += s.inner)
        plain_cumsum(p->in, p->out, s, plain_start(s, line - 1),
                     plain_start(s, line));
    return 0;
}

VARIANTS(broken__host_neighbour_column) = {
    PLAIN_VARIANT("neighbour_column",
                  "bug: the last column is its neighbour's"),
    { 0 },
};
