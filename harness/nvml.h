/* SPDX-License-Identifier: MIT
 *
 * Clocks and heat through NVML, loaded at run time: where the library or a
 * reading is missing, the reading is NaN.
 */
#ifndef HARNESS_NVML_H
#define HARNESS_NVML_H

#include "harness/device.h"

/* `index` is CUDA's; NVML's device is found by its PCI address. */
void nvml_open(int index);
void nvml_sense(struct sensors *sensors);

#endif
