/* SPDX-License-Identifier: MIT
 *
 * Bug      None: right, but the second launch in a process is held up for
 *          50 ms, as another program may do.
 * Shows    nowhere: `scanbench run` must not call it slow for that.
 */
#include <string.h>
#include <time.h>

#include "src/variant.h"

static int launch(const struct problem *p, void *stream)
{
    static int launches;
    (void)stream;
    memcpy(p->out, p->in, (size_t)op_out_bytes(p->op, p->dtype, p->shape));
    if (++launches == 2)
        nanosleep(&(struct timespec){ .tv_nsec = 50000000 }, NULL);
    return 0;
}

VARIANTS(broken__host_stalled) = {
    {
        .name = "stalled",
        .idea = "no bug: a copy whose second launch is held up",
        .runs_on = DEVICE_HOST,
        .ops = OPS(FORM_OF(OP_COPY), DTYPES_ALL),
        .passes = 1,
        .error_growth = ERROR_NONE,
        .deterministic = true,
        .launch = launch,
    },
    { 0 },
};
