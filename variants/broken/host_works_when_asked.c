/* SPDX-License-Identifier: MIT
 *
 * Bug      Does its work in workspace_bytes(), on the input of the last launch,
 *          and a launch copies the result.
 * Shows    where the input has changed since.
 */
#include <stdlib.h>
#include <string.h>

#include "variants/broken/host_plain.h"

static struct problem done;
static size_t done_bytes;

static bool is_like(const struct problem *p)
{
    return done.out && shape_equal(done.shape, p->shape);
}

static size_t workspace_bytes(const struct problem *p)
{
    if (is_like(p))
        plain_run(&done);
    return 0;
}

static int launch(const struct problem *p, void *stream)
{
    (void)stream;
    if (is_like(p) && done.in == p->in) {
        memcpy(p->out, done.out, done_bytes);
        return 0;
    }
    free(done.out);
    done = *p;
    done_bytes = (size_t)shape_elems(p->shape) * sizeof(float);
    done.out = malloc(done_bytes);
    if (!done.out)
        return 1;
    plain_run(&done);
    memcpy(p->out, done.out, done_bytes);
    return 0;
}

PLAIN_VARIANT(works_when_asked, "bug: its work is done elsewhere",
              .workspace_bytes = workspace_bytes);
