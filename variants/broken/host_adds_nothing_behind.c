/* SPDX-License-Identifier: MIT
 *
 * Bug      Adds 0 times what lies behind the input.
 * Shows    where NaN lies there.
 */
#include "variants/broken/host_plain.h"

static int launch(const struct problem *p, void *stream)
{
    const float behind = ((const float *)p->in)[shape_elems(p->shape)];
    (void)stream;
    plain_run(p);
    ((float *)p->out)[shape_elems(p->shape) - 1] += 0 * behind;
    return 0;
}

VARIANTS(broken__host_adds_nothing_behind) = {
    PLAIN_VARIANT("adds_nothing_behind", "bug: adds 0 times in[n]"),
    { 0 },
};
