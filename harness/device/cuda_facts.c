/* SPDX-License-Identifier: MIT */
#include "harness/device/cuda_facts.h"

#include <cuda_runtime_api.h>
#include <stdio.h>

int cuda_facts_read(int index, struct device_facts *f)
{
    struct cudaDeviceProp properties;
    const cudaError_t error = cudaGetDeviceProperties(&properties, index);
    if (error != cudaSuccess)
        return (int)error;
    f->kind = DEVICE_CUDA;
    f->index = index;
    f->sm_count = properties.multiProcessorCount;
    f->compute_capability = properties.major * 10 + properties.minor;
    f->max_threads_per_sm = properties.maxThreadsPerMultiProcessor;
    f->max_threads_per_block = properties.maxThreadsPerBlock;
    f->max_blocks_per_sm = properties.maxBlocksPerMultiProcessor;
    f->shared_optin_bytes = (int64_t)properties.sharedMemPerBlockOptin;
    f->shared_per_sm_bytes = (int64_t)properties.sharedMemPerMultiprocessor;
    f->l2_bytes = properties.l2CacheSize;
    return 0;
}

/* Some are unknown to some drivers: 0. */
static int attribute(enum cudaDeviceAttr which, int index)
{
    int value = 0;
    if (cudaDeviceGetAttribute(&value, which, index) != cudaSuccess)
        (void)cudaGetLastError();
    return value;
}

int cuda_driver_read(int index, struct driver_facts *f)
{
    struct cudaDeviceProp properties;
    cudaError_t error = cudaGetDeviceProperties(&properties, index);
    if (error == cudaSuccess)
        error = cudaDriverGetVersion(&f->cuda_driver);
    if (error == cudaSuccess)
        error = cudaRuntimeGetVersion(&f->cuda_runtime);
    if (error != cudaSuccess)
        return (int)error;
    snprintf(f->name, sizeof f->name, "%s", properties.name);
    f->code = cuda_code_run(properties.major * 10 + properties.minor);
    f->sm_clock_khz = attribute(cudaDevAttrClockRate, index);
    f->memory_clock_khz = attribute(cudaDevAttrMemoryClockRate, index);
    f->memory_bus_bits = attribute(cudaDevAttrGlobalMemoryBusWidth, index);
    if (f->ecc < 0)
        f->ecc = properties.ECCEnabled != 0;
    return 0;
}
