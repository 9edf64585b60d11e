/* SPDX-License-Identifier: MIT */
#include "harness/device/cuda_facts.h"

#include <cuda_runtime_api.h>
#include <stdio.h>

/* Returns 0 for an attribute that the driver does not have. */
static int attribute(enum cudaDeviceAttr which, int index)
{
    int value = 0;
    if (cudaDeviceGetAttribute(&value, which, index) != cudaSuccess)
        (void)cudaGetLastError();
    return value;
}

int cuda_facts_read(int index, struct device_facts *facts,
                    struct driver_facts *driver)
{
    struct cudaDeviceProp properties;
    cudaError_t error = cudaGetDeviceProperties(&properties, index);
    if (error == cudaSuccess)
        error = cudaDriverGetVersion(&driver->cuda_driver);
    if (error == cudaSuccess)
        error = cudaRuntimeGetVersion(&driver->cuda_runtime);
    if (error != cudaSuccess)
        return (int)error;
    facts->kind = DEVICE_CUDA;
    facts->index = index;
    facts->sm_count = properties.multiProcessorCount;
    facts->compute_capability = properties.major * 10 + properties.minor;
    facts->max_threads_per_sm = properties.maxThreadsPerMultiProcessor;
    facts->max_threads_per_block = properties.maxThreadsPerBlock;
    facts->max_blocks_per_sm = properties.maxBlocksPerMultiProcessor;
    facts->shared_optin_bytes = (int64_t)properties.sharedMemPerBlockOptin;
    facts->shared_per_sm_bytes = (int64_t)properties.sharedMemPerMultiprocessor;
    facts->l2_bytes = properties.l2CacheSize;
    snprintf(driver->name, sizeof driver->name, "%s", properties.name);
    driver->code = cuda_code_run(facts->compute_capability);
    driver->sm_clock_khz = attribute(cudaDevAttrClockRate, index);
    driver->memory_clock_khz = attribute(cudaDevAttrMemoryClockRate, index);
    driver->memory_bus_bits = attribute(cudaDevAttrGlobalMemoryBusWidth, index);
    if (driver->ecc < 0)
        driver->ecc = properties.ECCEnabled != 0;
    return 0;
}
