/* SPDX-License-Identifier: MIT
 *
 * Idea     Lines are independent: every thread takes its share of them (where
 *          inner > 1, of strips of 64 neighbours; of ragged ones, segments).
 * Against  serial: the same walk, on every core. Idle cores where there are
 *          fewer lines than threads.
 * Traffic  the compulsory minimum (passes = 1).
 * Needs    OpenMP.
 * Source   none.
 * Lesson   Lines are independent: cores share them without a second reading.
 */
#include "variants/host/host.h"

static int launch(const struct problem *p, void *stream)
{
    (void)stream;
    const int threads = p->device->sm_count;
    const int64_t count = host_units(p);
    PARALLEL_FOR
    for (int64_t unit = 0; unit < count; ++unit)
        host_run(p, unit);
    return 0;
}

#define POINT(ops_, error_growth_)                                             \
    {                                                                          \
        .name = "openmp_lines",                                                \
        .idea = "every thread walks its share of the lines",                   \
        .runs_on = DEVICE_HOST, .ops = ops_, .passes = 1,                      \
        .error_growth = error_growth_, .deterministic = true,                  \
        .launch = launch, .ragged = true, .portable_bits = true,               \
        .monotone = true                                                       \
    }

VARIANTS(host__openmp_lines) = {
    POINT(OPS_ANY, ERROR_SERIAL),
    POINT(OPS(FORM_OF(OP_FLIP), DTYPES_ALL), ERROR_NONE),
    { 0 },
};
