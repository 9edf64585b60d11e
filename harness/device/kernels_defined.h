/* SPDX-License-Identifier: MIT
 *
 * The comparison with an exact operator's definition (src/model/definition.h).
 */
#ifndef HARNESS_DEVICE_KERNELS_DEFINED_H
#define HARNESS_DEVICE_KERNELS_DEFINED_H

#include "harness/device/kernels_walk.h"

/* Compares every output element, and the input. Returns a cudaError_t. */
int defined_check(const walk &w, gathered *g);

/* Releases the prefixes that are kept between calls. */
void defined_forget(void);

#endif
