/* SPDX-License-Identifier: MIT
 *
 * Whether part of a cold cell's traffic cannot have come from memory, or gone
 * there.
 */
#ifndef HARNESS_MEASURE_CACHE_ASSIST_H
#define HARNESS_MEASURE_CACHE_ASSIST_H

#include "harness/cell.h"

/* The GPUs that a cell over ranks runs on: ranks share one where they are
 * more than the GPUs. */
int cell_gpus(const struct cell *cell, const struct device_facts *facts);

/* `gbps`: what the whole job was timed at, over all its GPUs. */
bool cache_assists(const struct device_facts *facts,
                   const struct driver_facts *driver, const struct cell *cell,
                   double gbps);

#endif
