/* SPDX-License-Identifier: MIT
 *
 * Bug      Every hundredth launch has one wrong sum.
 * Shows    under --repeat, and in a run that launches it so often.
 */
#include "variants/broken/host_plain.h"

static int launch(const struct problem *p, void *stream)
{
    static int launches;
    (void)stream;
    plain_run(p);
    if (++launches % 100 == 0)
        ((float *)p->out)[shape_elems(p->shape) - 1] = -1;
    return 0;
}

VARIANTS(broken__host_wrong_hundredth) = {
    PLAIN_VARIANT("wrong_hundredth", "bug: one launch in 100 is wrong"),
    { 0 },
};
