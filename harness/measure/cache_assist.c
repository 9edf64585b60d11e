/* SPDX-License-Identifier: MIT */
#include "harness/measure/cache_assist.h"

#include <math.h>

int cell_gpus(const struct cell *cell, const struct device_facts *facts)
{
    return facts->gpus >= cell->ranks ? cell->ranks : facts->gpus > 0;
}

/* The traffic is the whole job's: its caches and buses are those of all GPUs
 * that it runs on. */
static double job_gpus(const struct cell *cell,
                       const struct device_facts *facts)
{
    return fmax(1, cell_gpus(cell, facts));
}

/* More than the memory bus can carry: part of it was in a cache. */
static bool is_above_bus(const struct driver_facts *driver, double gbps)
{
    const double peak = driver_bus_gbps(driver);
    return peak > 0 && gbps > peak;
}

/* Lines written last are still in the L2 when the clock stops. Where they may
 * be this much of all traffic, the figure is not the memory's. */
static const double dirty_share = 0.1;

static bool is_dirty(const struct device_facts *facts, const struct cell *cell)
{
    const double out = (double)op_out_bytes(cell->op, cell->dtype, cell->shape);
    const double l2 = job_gpus(cell, facts) * (double)facts->l2_bytes;
    const double share = (out < l2 ? out : l2) /
                         (double)op_bytes(cell->op, cell->dtype, cell->shape);
    return facts->kind != DEVICE_HOST && share > dirty_share;
}

bool cache_assists(const struct device_facts *facts,
                   const struct driver_facts *driver, const struct cell *cell,
                   double gbps)
{
    return cell->cache == CACHE_COLD &&
           (is_dirty(facts, cell) ||
            is_above_bus(driver, gbps / job_gpus(cell, facts)));
}
