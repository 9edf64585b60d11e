/* SPDX-License-Identifier: MIT
 *
 * Bug      Takes it for done where input and output lie where they lay the last
 *          time, and the output is no poison.
 * Shows    as soon as the input changes where it lies.
 */
#include "variants/broken/host_plain.h"

static int launch(const struct problem *p, void *stream)
{
    static const void *in, *out;
    static struct shape shape;
    (void)stream;
    if (in == p->in && out == p->out && shape_equal(shape, p->shape) &&
        ((const uint32_t *)p->out)[0] != 0xffffffff)
        return 0;
    plain_run(p);
    in = p->in;
    out = p->out;
    shape = p->shape;
    return 0;
}

VARIANTS(broken__host_remembers_pointer) = {
    PLAIN_VARIANT("remembers_pointer", "bug: takes an address for an input"),
    { 0 },
};
