/* SPDX-License-Identifier: MIT
 *
 * What a manifest holds of the build, the command, the host and the device.
 */
#ifndef HARNESS_SWEEP_FACTS_H
#define HARNESS_SWEEP_FACTS_H

#include "harness/device/driver_facts.h"
#include "src/runs/manifest.h"
#include "src/variant.h"

/* Makes a manifest of all that is known when a run starts; to be freed. */
void facts_fill(struct manifest *manifest, const struct device_facts *facts,
                const struct driver_facts *driver, const char *arguments);

#endif
