/* SPDX-License-Identifier: MIT
 *
 * Bug      A line of one element is left as it was.
 * Shows    an axis of 1.
 */
#include "variants/broken/host_plain.h"

static int launch(const struct problem *p, void *stream)
{
    (void)stream;
    if (p->shape.axis > 1)
        plain_run(p);
    return 0;
}

PLAIN_VARIANT(one_step_alone, "bug: single elements are not written");
