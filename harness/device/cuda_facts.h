/* SPDX-License-Identifier: MIT
 *
 * What the CUDA runtime knows of a GPU, for the harness and for libscanbench.
 */
#ifndef HARNESS_DEVICE_CUDA_FACTS_H
#define HARNESS_DEVICE_CUDA_FACTS_H

#include "harness/device/driver_facts.h"
#include "src/variant.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The first two return a cudaError_t. None needs a context, nor makes one. */

/* All but its memory, which only a context tells. */
int cuda_facts_read(int index, struct device_facts *facts);

/* What no kernel is told, beside what NVML says (harness/device/nvml.h): `ecc`
 * where it is still unknown. */
int cuda_driver_read(int index, struct driver_facts *driver);

/* Whose code of this program a device of that compute capability (90) runs: 900
 * for that of 9.0; 0: unknown, or none. */
int cuda_code_run(int capability);

#ifdef __cplusplus
}
#endif

#endif
