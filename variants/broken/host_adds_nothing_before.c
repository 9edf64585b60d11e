/* SPDX-License-Identifier: MIT
 *
 * Bug      Adds 0 times what lies before the input.
 * Shows    where NaN lies there.
 */
#include "variants/broken/host_plain.h"

static int launch(const struct problem *p, void *stream)
{
    const float before = ((const float *)p->in)[-1];
    (void)stream;
    plain_run(p);
    ((float *)p->out)[0] += 0 * before;
    return 0;
}

VARIANTS(broken__host_adds_nothing_before) = {
    PLAIN_VARIANT("adds_nothing_before", "bug: adds 0 times in[-1]"),
    { 0 },
};
