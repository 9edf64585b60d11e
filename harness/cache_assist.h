/* SPDX-License-Identifier: MIT
 *
 * Whether part of a cold cell's traffic cannot have come from memory, or gone
 * there.
 */
#ifndef HARNESS_CACHE_ASSIST_H
#define HARNESS_CACHE_ASSIST_H

#include "harness/cell.h"

/* `gbps`: what it was timed at. */
bool cache_assists(const struct device_facts *facts,
                   const struct driver_facts *driver, const struct cell *cell,
                   double gbps);

#endif
