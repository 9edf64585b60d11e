/* SPDX-License-Identifier: MIT
 *
 * Idea     One thread, one running sum per line, from one end to the other: the
 *          loop everyone writes first.
 * Against  nothing: the bottom of the host's ladder.
 * Traffic  the compulsory minimum (passes = 1).
 * Needs    nothing.
 * Source   none.
 * Lesson   One chain of additions leaves the other cores idle.
 */
#include "variants/host/host.h"

static int launch(const struct problem *p, void *stream)
{
    (void)stream;
    for (int64_t unit = 0; unit < host_units(p); ++unit)
        host_run(p, unit);
    return 0;
}

#define POINT(ops_, error_growth_)                                             \
    {                                                                          \
        .name = "serial", .idea = "one thread walks one line after the other", \
        .runs_on = DEVICE_HOST, .ops = ops_, .passes = 1,                      \
        .error_growth = error_growth_, .deterministic = true,                  \
        .launch = launch, .ragged = true, .portable_bits = true,               \
        .monotone = true                                                       \
    }

VARIANTS(host__serial) = {
    POINT(OPS_ANY, ERROR_SERIAL),
    POINT(OPS(FORM_OF(OP_FLIP), DTYPES_ALL), ERROR_NONE),
    { 0 },
};
