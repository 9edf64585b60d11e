/* SPDX-License-Identifier: MIT
 *
 * What the CUDA runtime knows of a GPU, for the harness and for libscanbench.
 */
#ifndef HARNESS_DEVICE_CUDA_FACTS_H
#define HARNESS_DEVICE_CUDA_FACTS_H

#include "harness/device/driver_facts.h"
#include "src/variant.h"

/* Both return a cudaError_t. Neither needs a context, nor makes one. */

/* All but its memory, which only a context tells. */
int cuda_facts_read(int index, struct device_facts *facts);

/* What no kernel is told, beside what NVML says (harness/device/nvml.h): `ecc`
 * where it is still unknown. */
int cuda_driver_read(int index, struct driver_facts *driver);

#endif
