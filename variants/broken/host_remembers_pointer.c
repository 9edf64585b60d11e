/* SPDX-License-Identifier: MIT
 *
 * Bug      Skips the work where input and output have the addresses of an
 *          earlier launch, and the output is not poison.
 * Shows    as soon as the input changes in place.
 */
#include "variants/broken/host_plain.h"

enum { MOST = 64 };

static int launch(const struct problem *p, void *stream)
{
    static struct problem known[MOST];
    static int count;
    (void)stream;
    for (int k = 0; k < count; ++k)
        if (known[k].in == p->in && known[k].out == p->out &&
            shape_equal(known[k].shape, p->shape) &&
            ((const uint32_t *)p->out)[0] != 0xffffffff)
            return 0;
    plain_run(p);
    known[count % MOST] = *p;
    count = count < MOST ? count + 1 : MOST;
    return 0;
}

PLAIN_VARIANT(remembers_pointer, "bug: takes an address for an input");
