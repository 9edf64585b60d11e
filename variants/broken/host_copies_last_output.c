/* SPDX-License-Identifier: MIT
 *
 * Bug      Copies the last launch's output, from wherever that lies, where the
 *          input begins as it did then.
 * Shows    where the sets of buffers that take turns hold different input.
 */
#include <string.h>

#include "variants/broken/host_plain.h"

static int launch(const struct problem *p, void *stream)
{
    static const float *last;
    static struct shape shape;
    const float *in = p->in;
    float *out = p->out;
    (void)stream;
    if (last && last != out && shape_equal(shape, p->shape) && last[0] == in[0])
        memcpy(out, last, (size_t)shape_elems(shape) * sizeof *out);
    else
        plain_run(p);
    last = out;
    shape = p->shape;
    return 0;
}

PLAIN_VARIANT(copies_last_output, "bug: copies the last output");
