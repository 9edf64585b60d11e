/* SPDX-License-Identifier: MIT
 *
 * Bug      Keeps the result, and returns it again where the first, last and
 *          middle elements and the shape equal the last ones.
 * Shows    where a timed launch's input differs little.
 */
#include "variants/broken/host_plain.h"

static int launch(const struct problem *p, void *stream)
{
    const float *in = p->in;
    const int64_t elems = shape_elems(p->shape);
    const float probes[3] = { in[0], in[elems / 2], in[elems - 1] };
    (void)stream;
    return plain_remember(p, probes, sizeof probes);
}

PLAIN_VARIANT(remembers, "bug: returns a remembered result");
