/* SPDX-License-Identifier: MIT
 *
 * Launches a variant, for every device.
 */
#ifndef HARNESS_DEVICE_LAUNCHED_H
#define HARNESS_DEVICE_LAUNCHED_H

#include "src/variant.h"

/* Launches; as part of it, a variant that allocates its output returns the
 * place. The problem's address, the stack's depth and the registers are always
 * the same, so that the variant cannot distinguish a timed launch from a
 * checked one. Returns the launch's value. Not for several threads. */
int launched_by(const struct variant *variant, const struct problem *problem,
                void *stream);

/* The output of the last launch of a variant with `output`, or NULL. */
const void *launched_to(void);

/* The last launch's reason to fail, of a variant with `error_text`, or NULL. */
const char *launched_why(void);

#endif
