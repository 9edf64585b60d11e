/* SPDX-License-Identifier: MIT */
#include "harness/sweep/estimate.h"

/* Rough rates where nothing was measured: a variant at half of the memory
 * bus, a verification at a fortieth of it. */
double estimate_ms(const struct cell *cell, double budget_ms,
                   const struct device_facts *facts,
                   const struct driver_facts *driver)
{
    const double bus = driver_bus_gbps(driver);
    const double gbps = bus > 0 ? bus : 10;
    const double bytes = (double)op_bytes(cell->op, cell->dtype, cell->shape);
    const double launch_ms =
        2 * bytes * variant_passes(cell->variant, cell->op) / (gbps * 1e6) +
        0.01;
    /* A sample is a flush (twice the last-level cache is read) and a launch;
     * a turn's first and the last check's are not counted among them. */
    const double sample_ms = launch_ms + 2e-6 * (double)facts->l2_bytes / gbps;
    const double least_ms = (STATS_LEAST_SAMPLES + 4) * sample_ms;
    const double measured_ms = budget_ms > least_ms ? budget_ms : least_ms;
    return 3 * 40 * bytes / (gbps * 1e6) + 3 * launch_ms +
           (cell->timed ? measured_ms : 0) + 1;
}
