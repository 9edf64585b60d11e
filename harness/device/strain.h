/* SPDX-License-Identifier: MIT
 *
 * Launches under adverse conditions. The launch is recorded as a graph, so that
 * its kernels are known and their grids can be changed, whoever they belong to.
 */
#ifndef HARNESS_DEVICE_STRAIN_H
#define HARNESS_DEVICE_STRAIN_H

#include "harness/device/device.h"

/* device.strained() of a CUDA device. */
const char *strain_launch(const struct variant *variant,
                          const struct problem *problems, int count,
                          const struct strain *strain, bool *unfit);

#endif
