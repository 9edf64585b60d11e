/* SPDX-License-Identifier: MIT
 *
 * Bug      The last sum is left out where the output is not the one of the
 *          first launch in the process.
 * Shows    where several sets of buffers are judged.
 */
#include "variants/broken/host_plain.h"

PLAIN_THEN({
    static const void *first;
    if (!first)
        first = p->out;
    if (p->out != first)
        out[shape_elems(s) - 1] = 0;
})

PLAIN_VARIANT(knows_one_buffer, "bug: right in one buffer only");
