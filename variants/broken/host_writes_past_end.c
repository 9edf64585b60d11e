/* SPDX-License-Identifier: MIT
 *
 * Bug      One element behind the output is written, too.
 * Shows    only by guard bands: the output itself is right.
 */
#include "variants/broken/host_plain.h"

static int launch(const struct problem *p, void *stream)
{
    (void)stream;
    plain_run(p);
    ((float *)p->out)[shape_elems(p->shape)] = 0;
    return 0;
}

VARIANTS(broken__host_writes_past_end) = {
    PLAIN_VARIANT("writes_past_end", "bug: writes behind the output"),
    { 0 },
};
