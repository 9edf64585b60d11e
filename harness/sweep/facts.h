/* SPDX-License-Identifier: MIT
 *
 * The manifest's facts about build, command, host and device, and the load that
 * other programs put on the host.
 */
#ifndef HARNESS_SWEEP_FACTS_H
#define HARNESS_SWEEP_FACTS_H

#include "harness/device/driver_facts.h"
#include "src/runs/manifest.h"
#include "src/variant.h"

#include <sys/types.h>

/* Makes the manifest of a run that starts; the caller frees it. */
void facts_fill(struct manifest *manifest, const struct device_facts *facts,
                const struct driver_facts *driver, const char *arguments);

/* Seconds of processor time since the host, or the process, started. */
struct host_load {
    double all_s, busy_s; /* of all processors; NaN if unknown */
    double own_s;         /* of this process, its reaped children, one child */
};

/* `child` is a running child, or 0. */
struct host_load host_load_now(pid_t child);

/* Share of other programs in the processors' time, per cent; NaN if unknown. */
double host_load_others_pct(const struct host_load *from,
                            const struct host_load *to);

#endif
