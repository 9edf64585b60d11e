/* SPDX-License-Identifier: MIT
 *
 * Bug      The last sum is left out where the output is not the one of the
 * first launch in the process. Shows    where several sets of buffers are
 * judged.
 */
#include "variants/broken/host_plain.h"

static int launch(const struct problem *p, void *stream)
{
    static const void *first;
    (void)stream;
    plain_run(p);
    if (!first)
        first = p->out;
    if (p->out != first)
        ((float *)p->out)[shape_elems(p->shape) - 1] = 0;
    return 0;
}

VARIANTS(broken__host_knows_one_buffer) = {
    PLAIN_VARIANT("knows_one_buffer", "bug: right in one buffer only"),
    { 0 },
};
