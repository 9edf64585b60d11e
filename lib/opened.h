/* SPDX-License-Identifier: MIT
 *
 * Open devices, and the calls of the CUDA runtime that the library needs, whose
 * errors are a cudaError_t; without CUDA there is no GPU (gpu_none.c).
 */
#ifndef LIB_OPENED_H
#define LIB_OPENED_H

#include "harness/device/device.h"
#include "src/variant.h"

struct opened {
    struct device_facts facts; /* with its rules */
    uint64_t ops[DTYPE_COUNT]; /* op_bit()s of the kernels that there are */
    int error;                 /* 0 if the device is usable */
    char text[1024];           /* for scanbench_device_text() */
};

enum { OPENED_MOST = 64 };

/* Takes the number of a GPU or SCANBENCH_HOST. Returns NULL if it is out of
 * range. The first plan for a device opens it for the life of the process. */
const struct opened *opened_device(int device);

/* Sets *absent if there is no such GPU. */
int gpu_read(int index, struct device_facts *facts, struct driver_facts *driver,
             bool *absent);

/* The calling thread's GPU, or -1. */
int gpu_current(void);

const char *gpu_error_text(int error);

#endif
