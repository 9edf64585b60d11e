/* SPDX-License-Identifier: MIT
 *
 * Bug      Keeps the result, and returns it again where the first 2^14 elements
 *          of the input and the shape equal the last ones.
 * Shows    where a timed launch's input differs only elsewhere.
 */
#include "variants/broken/host_plain.h"

enum { PART = 1 << 14 };

static int launch(const struct problem *p, void *stream)
{
    const int64_t elems = shape_elems(p->shape);
    (void)stream;
    return plain_remember(
        p, p->in, (size_t)(elems < PART ? elems : PART) * sizeof(float));
}

PLAIN_VARIANT(knows_a_part, "bug: a remembered result, if a part is known");
