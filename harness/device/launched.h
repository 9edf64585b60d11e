/* SPDX-License-Identifier: MIT
 *
 * A launch of a variant, as every device does it.
 */
#ifndef HARNESS_DEVICE_LAUNCHED_H
#define HARNESS_DEVICE_LAUNCHED_H

#include "src/variant.h"

/* Launches, and asks a variant that allocates its output itself for the place,
 * so that whatever that takes is part of the launch. The variant sees each
 * problem at one address, runs at one depth of a stack of its own, and finds
 * nothing of its caller in registers: it cannot tell by these what the launch
 * is for. Returns what the launch returned. Not for several threads. */
int launched_by(const struct variant *variant, const struct problem *problem,
                void *stream);

/* Where the last launch of a variant with `output` put it; NULL: unknown. */
const void *launched_to(void);

#endif
