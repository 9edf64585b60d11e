/* SPDX-License-Identifier: MIT
 *
 * A GPU's facts from the CUDA runtime, for the harness and libscanbench.
 */
#ifndef HARNESS_DEVICE_CUDA_FACTS_H
#define HARNESS_DEVICE_CUDA_FACTS_H

#include "harness/device/driver_facts.h"
#include "src/variant.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The first two return a cudaError_t. None needs or makes a context. */

/* All facts but memory, which needs a context. */
int cuda_facts_read(int index, struct device_facts *facts);

/* Adds facts that kernels do not see to those of NVML; sets `ecc` if it is
 * unknown. */
int cuda_driver_read(int index, struct driver_facts *driver);

/* The architecture whose code this program runs on a device of that compute
 * capability (90): 900 for 9.0, or 0 if unknown. */
int cuda_code_run(int capability);

#ifdef __cplusplus
}
#endif

#endif
