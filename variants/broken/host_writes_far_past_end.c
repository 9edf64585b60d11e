/* SPDX-License-Identifier: MIT
 *
 * Bug      4136 bytes past the end of the output an element is written, too.
 * Shows    where guards are larger than a page.
 */
#include "variants/broken/host_plain.h"

static int launch(const struct problem *p, void *stream)
{
    (void)stream;
    plain_run(p);
    ((float *)p->out)[shape_elems(p->shape) + 4136 / 4] = 0;
    return 0;
}

VARIANTS(broken__host_writes_far_past_end) = {
    PLAIN_VARIANT("writes_far_past_end", "bug: writes far behind the output"),
    { 0 },
};
