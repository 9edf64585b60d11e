/* SPDX-License-Identifier: MIT
 *
 * Bug      None: right, but slower by a known share. memcpy, then a wait for 0,
 *          1, 3 or 30 % of the time that it took (30: for machines whose other
 *          work hides 3).
 * Shows    in `scanbench compare` only; see proof/all.py.
 */
#include <string.h>
#include <time.h>

#include "src/variant.h"

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * (int64_t)1000000000 + now.tv_nsec;
}

static int copy_slowly(const struct problem *p, int pct)
{
    const int64_t start = now_ns();
    memcpy(p->out, p->in, (size_t)op_out_bytes(p->op, p->dtype, p->shape));
    const int64_t took = now_ns() - start;
    while ((now_ns() - start - took) * 100 < took * pct)
        ;
    return 0;
}

#define LAUNCH(pct)                                                            \
    static int launch_##pct(const struct problem *p, void *stream)             \
    {                                                                          \
        (void)stream;                                                          \
        return copy_slowly(p, pct);                                            \
    }
LAUNCH(0)
LAUNCH(1)
LAUNCH(3)
LAUNCH(30)
#undef LAUNCH

#define POINT(pct)                                                             \
    {                                                                          \
        .name = "slowed_p" #pct,                                               \
        .idea = "no bug: a copy that takes " #pct " % longer",                 \
        .runs_on = DEVICE_HOST, .ops = OPS(FORM_OF(OP_COPY), DTYPES_ALL),      \
        .passes = 1, .error_growth = ERROR_NONE, .deterministic = true,        \
        .launch = launch_##pct                                                 \
    }

VARIANTS(broken__host_slowed) = {
    POINT(0), POINT(1), POINT(3), POINT(30), { 0 },
};
