/* SPDX-License-Identifier: MIT
 *
 * How long a plan may take, before anything was measured.
 */
#ifndef HARNESS_SWEEP_ESTIMATE_H
#define HARNESS_SWEEP_ESTIMATE_H

#include "harness/cell.h"
#include "harness/device/driver_facts.h"

/* A rough time for verifying, and where it is timed for sampling, one cell,
 * milliseconds: from its bytes, and half of the memory bus (10 GB/s where that
 * is unknown). budget_ms is of sampling. */
double estimate_ms(const struct cell *cell, double budget_ms,
                   const struct device_facts *facts,
                   const struct driver_facts *driver);

#endif
