/* SPDX-License-Identifier: MIT */
#include "harness/measure/cache_assist.h"

#include <math.h>

int cell_gpus(const struct cell *cell, const struct device_facts *facts)
{
    return facts->gpus >= cell->ranks ? cell->ranks : facts->gpus > 0;
}

/* The traffic is that of the whole job, over the caches and buses of all its
 * GPUs. */
static double job_gpus(const struct cell *cell,
                       const struct device_facts *facts)
{
    return fmax(1, cell_gpus(cell, facts));
}

/* True if the rate exceeds that of the memory bus. */
static bool is_above_bus(const struct driver_facts *driver, double gbps)
{
    const double peak = driver_bus_gbps(driver);
    return peak > 0 && gbps > peak;
}

/* Lines written last may still be in the L2 when the clock stops. At this share
 * of the traffic, the rate is not the memory's. */
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
