/* SPDX-License-Identifier: MIT
 *
 * Detects cold cells whose traffic must have been partly in a cache.
 */
#ifndef HARNESS_MEASURE_CACHE_ASSIST_H
#define HARNESS_MEASURE_CACHE_ASSIST_H

#include "harness/cell.h"

/* Returns the number of GPUs of a cell; ranks share a GPU if there are more of
 * them. */
int cell_gpus(const struct cell *cell, const struct device_facts *facts);

/* `gbps` is the rate of the whole job, over all its GPUs. */
bool cache_assists(const struct device_facts *facts,
                   const struct driver_facts *driver, const struct cell *cell,
                   double gbps);

#endif
