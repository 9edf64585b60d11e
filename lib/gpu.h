/* SPDX-License-Identifier: MIT
 *
 * The calls of the CUDA runtime that the library needs; without CUDA there is
 * no GPU (gpu_none.c). Errors are a cudaError_t.
 */
#ifndef LIB_GPU_H
#define LIB_GPU_H

#include "harness/device/device.h"
#include "src/variant.h"

/* Sets *absent if there is no such GPU. */
int gpu_read(int index, struct device_facts *facts, struct driver_facts *driver,
             bool *absent);

/* The calling thread's GPU, or -1. */
int gpu_current(void);

const char *gpu_error_text(int error);

#endif
