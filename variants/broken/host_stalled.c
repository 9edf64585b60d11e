/* SPDX-License-Identifier: MIT
 *
 * Bug      None: right, but the second launch in a process is held up for
 *          50 ms, as another program may do.
 * Shows    nowhere: `scanbench run` must not call it slow for that.
 */
#include <time.h>

#include "variants/broken/host_plain.h"

static int launch(const struct problem *p, void *stream)
{
    static int launches;
    (void)stream;
    memcpy(p->out, p->in, (size_t)op_out_bytes(p->op, p->dtype, p->shape));
    if (++launches == 2)
        nanosleep(&(struct timespec){ .tv_nsec = 50000000 }, NULL);
    return 0;
}

PLAIN_VARIANT_OF(stalled, OP_COPY, DTYPE_F32,
                 "no bug: a copy whose second launch is held up", ERROR_NONE);
