/* SPDX-License-Identifier: MIT
 *
 * The manifest's facts about build, command, host and device.
 */
#ifndef HARNESS_SWEEP_FACTS_H
#define HARNESS_SWEEP_FACTS_H

#include "harness/device/driver_facts.h"
#include "src/runs/manifest.h"
#include "src/variant.h"

/* Makes the manifest of a run that starts; the caller frees it. */
void facts_fill(struct manifest *manifest, const struct device_facts *facts,
                const struct driver_facts *driver, const char *arguments);

#endif
