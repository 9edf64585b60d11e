/* SPDX-License-Identifier: MIT
 *
 * Bug      Of strided lines, the last of a row is its neighbour's once more.
 * Shows    inner > 1.
 */
#include "variants/broken/host_plain.h"

PLAIN_THEN({
    for (int64_t line = s.inner - 1; s.inner > 1 && line < shape_lines(s);
         line += s.inner)
        plain_cumsum(p->in, p->out, s, plain_start(s, line - 1),
                     plain_start(s, line));
})

PLAIN_VARIANT(neighbour_column, "bug: the last column is its neighbour's");
