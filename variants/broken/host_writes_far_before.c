/* SPDX-License-Identifier: MIT
 *
 * Bug      60000 bytes before the output an element is written, too.
 * Shows    where guards are that large.
 */
#include "variants/broken/host_plain.h"

static int launch(const struct problem *p, void *stream)
{
    (void)stream;
    plain_run(p);
    ((float *)p->out)[-15000] = 0;
    return 0;
}

VARIANTS(broken__host_writes_far_before) = {
    PLAIN_VARIANT("writes_far_before", "bug: writes far before the output"),
    { 0 },
};
