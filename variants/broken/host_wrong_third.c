/* SPDX-License-Identifier: MIT
 *
 * Bug      Launch 3 in a process has one wrong sum.
 * Shows    under --repeat, and in a run, which looks at what timed launches
 *          leave.
 */
#include "variants/broken/host_plain.h"

static int launch(const struct problem *p, void *stream)
{
    static int launches;
    (void)stream;
    plain_run(p);
    if (++launches == 3)
        ((float *)p->out)[shape_elems(p->shape) - 1] = -1;
    return 0;
}

VARIANTS(broken__host_wrong_third) = {
    PLAIN_VARIANT("wrong_third", "bug: launch 3 is wrong"),
    { 0 },
};
