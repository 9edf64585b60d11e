/* SPDX-License-Identifier: MIT
 *
 * Bug      Keeps the result, and gives it again where the first, the last and
 *          the middle element, and the shape, are those of the last time.
 * Shows    where the input of a timed launch is hardly another.
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
