/* SPDX-License-Identifier: MIT */
#include "harness/device.h"

#include "harness/kernels.h"
#include "harness/nvml.h"

#include <cuda_runtime_api.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
    int index;
    struct device_facts *facts;
    void *flush;
    size_t flush_bytes;
    cudaEvent_t start, stop;
    char why[256];
} cuda;

/* NULL for success, or "file:line: expression: name: text". */
#define TRY(expression)                                                        \
    do {                                                                       \
        const char *why_ = describe((cudaError_t)(expression), #expression,    \
                                    __FILE__, __LINE__);                       \
        if (why_)                                                              \
            return why_;                                                       \
    } while (0)

static const char *describe(cudaError_t error, const char *expression,
                            const char *file, int line)
{
    if (error == cudaSuccess)
        return NULL;
    snprintf(cuda.why, sizeof cuda.why, "%s:%d: %s: %s: %s", file, line,
             expression, cudaGetErrorName(error), cudaGetErrorString(error));
    return cuda.why;
}

/* A variant's own error: the name says enough. */
static const char *describe_launch(int error)
{
    if (error == 0)
        return NULL;
    snprintf(cuda.why, sizeof cuda.why, "%s: %s",
             cudaGetErrorName((cudaError_t)error),
             cudaGetErrorString((cudaError_t)error));
    return cuda.why;
}

static int attribute(enum cudaDeviceAttr which)
{
    int value = 0;
    if (cudaDeviceGetAttribute(&value, which, cuda.index) != cudaSuccess)
        (void)cudaGetLastError(); /* some are unknown to some drivers: 0 */
    return value;
}

static const char *read_facts(struct device_facts *f)
{
    struct cudaDeviceProp properties;
    size_t free_bytes, total_bytes;
    TRY(cudaGetDeviceProperties(&properties, cuda.index));
    TRY(cudaMemGetInfo(&free_bytes, &total_bytes));
    TRY(cudaDriverGetVersion(&f->driver_version));
    TRY(cudaRuntimeGetVersion(&f->runtime_version));
    f->kind = DEVICE_CUDA;
    f->index = cuda.index;
    snprintf(f->name, sizeof f->name, "%s", properties.name);
    f->sm_count = properties.multiProcessorCount;
    f->compute_capability = properties.major * 10 + properties.minor;
    f->max_threads_per_sm = properties.maxThreadsPerMultiProcessor;
    f->max_threads_per_block = properties.maxThreadsPerBlock;
    f->max_blocks_per_sm = properties.maxBlocksPerMultiProcessor;
    f->shared_optin_bytes = (int64_t)properties.sharedMemPerBlockOptin;
    f->shared_per_sm_bytes = (int64_t)properties.sharedMemPerMultiprocessor;
    f->l2_bytes = properties.l2CacheSize;
    f->memory_bytes = (int64_t)total_bytes;
    f->memory_free_bytes = (int64_t)free_bytes;
    f->sm_clock_khz = attribute(cudaDevAttrClockRate);
    f->memory_clock_khz = attribute(cudaDevAttrMemoryClockRate);
    f->memory_bus_bits = attribute(cudaDevAttrGlobalMemoryBusWidth);
    f->ecc = properties.ECCEnabled != 0;
    return NULL;
}

static const char *cuda_open(int index, struct device_facts *facts,
                             bool *absent)
{
    int count = 0;
    cudaError_t error = cudaGetDeviceCount(&count);
    *absent = error == cudaErrorNoDevice ||
              error == cudaErrorInsufficientDriver ||
              error == cudaErrorStubLibrary ||
              (error == cudaSuccess && index >= count);
    if (error == cudaSuccess && index >= count) {
        snprintf(cuda.why, sizeof cuda.why,
                 "there is no cuda:%d; this machine has %d", index, count);
        return cuda.why;
    }
    TRY(error);
    cuda.index = index;
    TRY(cudaSetDevice(index));
    const char *why = read_facts(facts);
    if (why)
        return why;
    cuda.facts = facts;
    cuda.flush_bytes = (size_t)facts->l2_bytes * 2;
    if (cuda.flush_bytes < (size_t)64 << 20)
        cuda.flush_bytes = (size_t)64 << 20;
    TRY(cudaMalloc(&cuda.flush, cuda.flush_bytes));
    TRY(cudaMemset(cuda.flush, 1, cuda.flush_bytes));
    TRY(cudaEventCreate(&cuda.start));
    TRY(cudaEventCreate(&cuda.stop));
    TRY(cudaDeviceSynchronize());
    nvml_open(index);
    return NULL;
}

static const char *cuda_allocate(size_t bytes, void **memory)
{
    TRY(cudaMalloc(memory, bytes ? bytes : 256));
    return NULL;
}

static void cuda_release(void *memory)
{
    cudaFree(memory);
}

static const char *cuda_set(void *memory, int byte, size_t bytes)
{
    TRY(cudaMemsetAsync(memory, byte, bytes, 0));
    return NULL;
}

static const char *cuda_holds(const void *memory, int byte, size_t bytes,
                              bool *all)
{
    unsigned char copy[4096];
    *all = true;
    for (size_t at = 0; at < bytes && *all; at += sizeof copy) {
        size_t part = bytes - at < sizeof copy ? bytes - at : sizeof copy;
        TRY(cudaMemcpy(copy, (const char *)memory + at, part,
                       cudaMemcpyDeviceToHost));
        for (size_t k = 0; k < part; ++k)
            *all &= copy[k] == (unsigned char)byte;
    }
    return NULL;
}

static const char *cuda_fill(const struct problem *problem,
                             enum input_kind kind)
{
    TRY(kernels_fill(problem, kind));
    return NULL;
}

static const char *cuda_check(const struct problem *problem,
                              const struct variant *variant,
                              enum input_kind kind, struct verdict *verdict)
{
    TRY(kernels_check(problem, variant, kind, verdict));
    return NULL;
}

static const char *cuda_launch(const struct variant *variant,
                               const struct problem *problem)
{
    int error = variant->launch(problem, NULL);
    if (error)
        return describe_launch(error);
    error = cudaGetLastError(); /* a variant may have swallowed it */
    if (error)
        return describe_launch(error);
    return describe_launch(cudaDeviceSynchronize());
}

static const char *cuda_sample(const struct variant *variant,
                               const struct problem *problem, double *us)
{
    float ms;
    /* The sweep also keeps the GPU busy while the launch is queued, so that
     * the host's launch time stays out of the events. */
    TRY(kernels_flush(cuda.flush, cuda.flush_bytes));
    TRY(cudaEventRecord(cuda.start, 0));
    const char *why = describe_launch(variant->launch(problem, NULL));
    if (why)
        return why;
    TRY(cudaEventRecord(cuda.stop, 0));
    why = describe_launch(cudaEventSynchronize(cuda.stop));
    if (why)
        return why;
    TRY(cudaEventElapsedTime(&ms, cuda.start, cuda.stop));
    *us = ms * 1e3;
    return NULL;
}

static const char *cuda_add_gflops(enum dtype dtype, double *gflops)
{
    const bool is_double = dtype == DTYPE_F64;
    double adds, best = 0;
    for (int run = 0; run < 6; ++run) {
        float ms;
        TRY(cudaEventRecord(cuda.start, 0));
        TRY(kernels_adds(is_double, cuda.facts->sm_count, 400, &adds));
        TRY(cudaEventRecord(cuda.stop, 0));
        TRY(cudaEventSynchronize(cuda.stop));
        TRY(cudaEventElapsedTime(&ms, cuda.start, cuda.stop));
        double rate = adds / (ms * 1e6);
        if (run > 0 && rate > best)
            best = rate;
    }
    *gflops = best;
    return NULL;
}

const struct device device_cuda = {
    .open = cuda_open,
    .allocate = cuda_allocate,
    .release = cuda_release,
    .set = cuda_set,
    .holds = cuda_holds,
    .fill = cuda_fill,
    .check = cuda_check,
    .reference_bytes = kernels_reference_bytes,
    .launch = cuda_launch,
    .sample = cuda_sample,
    .sense = nvml_sense,
    .add_gflops = cuda_add_gflops,
};
