/* SPDX-License-Identifier: MIT
 *
 * Bug      The last sum of the last line is NaN.
 * Shows    always, unless NaN compares as no worse than the bound.
 */
#include <math.h>

#include "variants/broken/host_plain.h"

static int launch(const struct problem *p, void *stream)
{
    (void)stream;
    plain_run(p);
    ((float *)p->out)[shape_elems(p->shape) - 1] = NAN;
    return 0;
}

VARIANTS(broken__host_nan) = {
    PLAIN_VARIANT("nan", "bug: one output is NaN"),
    { 0 },
};
