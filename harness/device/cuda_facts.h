/* SPDX-License-Identifier: MIT
 *
 * A GPU's facts from the CUDA runtime, for the harness and libscanbench.
 */
#pragma once

#include "harness/device/device.h"
#include "src/variant.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Reads all facts but memory, which needs a context, and adds to those of NVML;
 * sets `ecc` if it is unknown. Returns a cudaError_t. */
int cuda_facts_read(int index, struct device_facts *facts,
                    struct driver_facts *driver);

/* The architecture (900 for 9.0) whose code this program runs on a device of
 * that compute capability (90), or 0 if unknown. */
int cuda_code_run(int capability);

#ifdef __cplusplus
}
#endif
