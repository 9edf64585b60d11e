/* SPDX-License-Identifier: MIT */
#include "lib/opened.h"

#include <cuda_runtime_api.h>

#include "harness/device/cuda_error.h"
#include "harness/device/cuda_facts.h"

int gpu_read(int index, struct device_facts *facts, struct driver_facts *driver,
             bool *absent)
{
    int count = 0;
    int error = (int)cudaGetDeviceCount(&count);
    *absent = error == cudaErrorNoDevice ||
              error == cudaErrorInsufficientDriver ||
              error == cudaErrorStubLibrary || (!error && index >= count);
    if (*absent)
        (void)cudaGetLastError(); /* clears it for the caller's own calls */
    if (*absent || error)
        return error;
    return cuda_facts_read(index, facts, driver);
}

int gpu_current(void)
{
    int index;
    return cudaGetDevice(&index) == cudaSuccess ? index : -1;
}

const char *gpu_error_text(int error)
{
    const char *no_code = cuda_error_no_code(error);
    return no_code ? no_code : cudaGetErrorString((cudaError_t)error);
}
