/* SPDX-License-Identifier: MIT
 *
 * A CUDA runtime without a GPU, and the instrument's kernels, for
 * test_device_cuda.c. Queued work is done at once, in host memory, and logged.
 */
#pragma once

#include "harness/device/cuda_facts.h"
#include "harness/device/kernels.h"
#include "harness/device/nvml.h"

#include <cuda_profiler_api.h>
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wunused-parameter"

static struct {
    /* One letter per call: F flush, K kept lines reset, G gate, ( start, )
     * stop, . empty kernel, P an element is poisoned, W wait for the device,
     * [ recording starts, ] it ends, L its graph is launched. */
    char log[64];
    double clock_us; /* the device's; events read it */
    bool records;
    bool gives_up;           /* every gate opens too late */
    bool runs_dry;           /* every query finds the stream at its end */
    const struct gate *gate; /* the last one */
} fake;

static int logged(char letter)
{
    const size_t used = strlen(fake.log);
    if (used + 1 < sizeof fake.log)
        fake.log[used] = letter;
    return 0;
}

/* Functions that succeed; those that do something first; and those that are
 * logged. */
#define WORKS(name, ...) DOES(name, , __VA_ARGS__)
#define DOES(name, what, ...)                                                  \
    cudaError_t name(__VA_ARGS__)                                              \
    {                                                                          \
        what;                                                                  \
        return cudaSuccess;                                                    \
    }
#define LOGS(type, letter, name, ...)                                          \
    type name(__VA_ARGS__)                                                     \
    {                                                                          \
        return (type)logged(letter);                                           \
    }

WORKS(cudaSetDevice, int device)
WORKS(cudaGetLastError, void)
WORKS(cudaFree, void *memory)
WORKS(cudaProfilerStart, void)
WORKS(cudaProfilerStop, void)
WORKS(cudaStreamSynchronize, cudaStream_t stream)
WORKS(cudaEventSynchronize, cudaEvent_t event)
WORKS(cudaGraphDestroy, cudaGraph_t graph)
WORKS(cudaGraphExecDestroy, cudaGraphExec_t graph)
WORKS(cudaGraphUpload, cudaGraphExec_t graph, cudaStream_t stream)
LOGS(cudaError_t, 'L', cudaGraphLaunch, cudaGraphExec_t graph,
     cudaStream_t stream)
LOGS(cudaError_t, 'K', cudaCtxResetPersistingL2Cache, void)
LOGS(cudaError_t, 'W', cudaDeviceSynchronize, void)
LOGS(int, 'F', kernels_flush, const void *memory, size_t bytes)
LOGS(int, '.', kernels_empty, void *stream)
/* Functions that the test never calls. */
__attribute__((used)) static void not_called(void)
{
    abort();
}
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wattribute-alias"
#endif
#define NOT_CALLED(name)                                                       \
    extern __typeof__(name) name __attribute__((alias("not_called")));
NOT_CALLED(kernels_change)
NOT_CALLED(kernels_check)
NOT_CALLED(kernels_check_guards)
NOT_CALLED(kernels_write_guards)
NOT_CALLED(kernels_fill)
NOT_CALLED(kernels_fingerprint)
NOT_CALLED(kernels_garbage)
NOT_CALLED(kernels_forget)
NOT_CALLED(kernels_reference_bytes)
NOT_CALLED(stress_launch)
NOT_CALLED(kernels_adds)

DOES(cudaGetDeviceCount, *count = 2, int *count)
DOES(cudaMemGetInfo, *free_bytes = *total_bytes = (size_t)1 << 30,
     size_t *free_bytes, size_t *total_bytes)
DOES(cudaDeviceGetPCIBusId,
     snprintf(text, (size_t)bytes, "0000:0%d:00.0", device), char *text,
     int bytes, int device)
/* Never freed. */
DOES(cudaMalloc, *memory = calloc(1, bytes), void **memory, size_t bytes)
DOES(cudaMemset, memset(memory, byte, bytes), void *memory, int byte,
     size_t bytes)
DOES(cudaMemcpy, memcpy(to, from, bytes), void *to, const void *from,
     size_t bytes, enum cudaMemcpyKind kind)
DOES(cudaStreamCreateWithFlags, *stream = (cudaStream_t)&fake,
     cudaStream_t *stream, unsigned flags)
DOES(cudaGraphInstantiate, *ready = (cudaGraphExec_t)&fake,
     cudaGraphExec_t *ready, cudaGraph_t graph, unsigned long long flags)

const char *cudaGetErrorName(cudaError_t error)
{
    return (int)error > 1000 ? "unrecognized error code" : "cudaErrorFake";
}

const char *cudaGetErrorString(cudaError_t error)
{
    return "it fails";
}

cudaError_t cudaHostAlloc(void **memory, size_t bytes, unsigned flags)
{
    return cudaMalloc(memory, bytes);
}

cudaError_t cudaMemsetAsync(void *memory, int byte, size_t bytes,
                            cudaStream_t stream)
{
    if (stream)
        logged('P');
    return cudaMemset(memory, byte, bytes);
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes,
                            enum cudaMemcpyKind kind, cudaStream_t stream)
{
    if (stream)
        logged('P');
    return cudaMemcpy(to, from, bytes, kind);
}

cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
    return cudaStreamCreateWithFlags(stream, 0);
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream,
                                   enum cudaStreamCaptureMode mode)
{
    fake.records = true;
    return (cudaError_t)logged('[');
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
    fake.records = false;
    *graph = (cudaGraph_t)&fake;
    return (cudaError_t)logged(']');
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    return fake.runs_dry ? cudaSuccess : cudaErrorNotReady;
}

struct CUevent_st {
    double us;
};

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    return cudaMalloc((void **)event, sizeof **event);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    event->us = fake.clock_us;
    logged(strchr(fake.log, '(') ? ')' : '(');
    return cudaSuccess;
}

DOES(cudaEventElapsedTime, *ms = (float)((to->us - from->us) * 1e-3), float *ms,
     cudaEvent_t from, cudaEvent_t to)

int cuda_facts_read(int index, struct device_facts *facts,
                    struct driver_facts *driver)
{
    *facts = (struct device_facts){ .kind = DEVICE_CUDA, .sm_count = 4 };
    return 0;
}

const char *nvml_open(const char *pci_address, struct driver_facts *facts)
{
    return NULL;
}

void nvml_sense(struct sensors *sensors)
{
    *sensors = sensors_unknown();
}

int kernels_gate(struct gate *gate, unsigned ticket, double patience_us)
{
    fake.gate = gate;
    gate->arrived = ticket;
    if (fake.gives_up)
        gate->gave_up = ticket;
    return logged('G');
}

/* 2 cycles a nanosecond. */
int kernels_stamp(struct stamp *stamps, int sm_count)
{
    const long long ns = 1000 * (long long)fake.clock_us + 1;
    for (int sm = 0; sm < sm_count; ++sm)
        stamps[sm] = (struct stamp){ 2 * ns, ns };
    return 0;
}
