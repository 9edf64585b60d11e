/* SPDX-License-Identifier: MIT
 *
 * Launches under adverse conditions. The launch is recorded as a graph, in
 * which the grids of its kernels can be changed.
 */
#ifndef HARNESS_DEVICE_STRESS_H
#define HARNESS_DEVICE_STRESS_H

#include "harness/device/device.h"

/* device.stressed() of a CUDA device. */
const char *stress_launch(const struct variant *variant,
                          const struct problem *problems, int count,
                          const struct stress *stress, bool *unfit);

#endif
