/* SPDX-License-Identifier: MIT */
#include "harness/device/fake_cuda.h"

#include "harness/device/cuda_facts.h"
#include "harness/device/kernels.h"
#include "harness/device/nvml.h"

#include <cuda_profiler_api.h>
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <string.h>

struct fake_cuda fake_cuda;

/* An event is a pointer to this. */
struct CUevent_st {
    double us;
};

void fake_log(char letter)
{
    const size_t used = strlen(fake_cuda.log);
    if (used + 1 < sizeof fake_cuda.log)
        fake_cuda.log[used] = letter;
}

static bool fails(const char *function)
{
    return fake_cuda.failing && strcmp(fake_cuda.failing, function) == 0;
}
#define RESULT (fails(__func__) ? (cudaError_t)FAKE_FAILS : cudaSuccess)

static cudaError_t logged(char letter, const char *function)
{
    fake_log(letter);
    return fails(function) ? (cudaError_t)FAKE_FAILS : cudaSuccess;
}

/* ----------------------------------------------------------------- runtime */

cudaError_t cudaGetDeviceCount(int *count)
{
    *count = FAKE_GPUS;
    return RESULT;
}

cudaError_t cudaSetDevice(int device)
{
    return device < FAKE_GPUS ? RESULT : cudaErrorInvalidDevice;
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes)
{
    *free_bytes = (size_t)1 << 30;
    *total_bytes = (size_t)2 << 30;
    return RESULT;
}

cudaError_t cudaDeviceGetPCIBusId(char *text, int bytes, int device)
{
    snprintf(text, (size_t)bytes, "0000:0%d:00.0", device);
    return RESULT;
}

const char *cudaGetErrorName(cudaError_t error)
{
    return (int)error > 1000          ? "unrecognized error code"
           : (int)error == FAKE_FAILS ? "cudaErrorFake"
                                      : "cudaErrorOther";
}

const char *cudaGetErrorString(cudaError_t error)
{
    return (int)error == FAKE_FAILS ? "it fails" : "another error";
}

cudaError_t cudaGetLastError(void)
{
    return RESULT;
}

/* Nothing is given back; the large block, for the cache flush, is always the
 * same. */
static void *place_for(size_t bytes)
{
    static _Alignas(256) char large[64 << 20], small[64 << 10];
    static size_t used;
    if (bytes > 4096)
        return bytes <= sizeof large ? large : NULL;
    bytes = (bytes + 255) / 256 * 256;
    used += bytes;
    return used <= sizeof small ? small + used - bytes : NULL;
}

cudaError_t cudaMalloc(void **memory, size_t bytes)
{
    *memory = place_for(bytes);
    return RESULT;
}

cudaError_t cudaFree(void *memory)
{
    (void)memory;
    return RESULT;
}

cudaError_t cudaHostAlloc(void **memory, size_t bytes, unsigned flags)
{
    (void)flags;
    *memory = place_for(bytes);
    return RESULT;
}

cudaError_t cudaMemset(void *memory, int byte, size_t bytes)
{
    memset(memory, byte, bytes);
    return RESULT;
}

cudaError_t cudaMemsetAsync(void *memory, int byte, size_t bytes,
                            cudaStream_t stream)
{
    (void)stream;
    return cudaMemset(memory, byte, bytes);
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes,
                       enum cudaMemcpyKind kind)
{
    (void)kind;
    memcpy(to, from, bytes);
    return RESULT;
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes,
                            enum cudaMemcpyKind kind, cudaStream_t stream)
{
    if (stream)
        fake_log('P');
    return cudaMemcpy(to, from, bytes, kind);
}

cudaError_t cudaCtxResetPersistingL2Cache(void)
{
    return logged('K', __func__);
}

cudaError_t cudaDeviceSynchronize(void)
{
    return logged('W', __func__);
}

cudaError_t cudaProfilerStart(void)
{
    return RESULT;
}

cudaError_t cudaProfilerStop(void)
{
    return RESULT;
}

/* ------------------------------------------------------- streams and events */

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
    static char any;
    *stream = (cudaStream_t)&any;
    return flags == cudaStreamNonBlocking ? RESULT : cudaErrorInvalidValue;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    (void)stream;
    return RESULT;
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    (void)stream;
    return fake_cuda.runs_dry ? cudaSuccess : cudaErrorNotReady;
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    *event = place_for(sizeof **event);
    return RESULT;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    (void)stream;
    event->us = fake_cuda.clock_us;
    return logged(strchr(fake_cuda.log, '(') ? ')' : '(', __func__);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    (void)event;
    return RESULT;
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t from, cudaEvent_t to)
{
    *ms = (float)((to->us - from->us) * 1e-3);
    return RESULT;
}

/* -------------------------------------------------------- facts and kernels */

int cuda_facts_read(int index, struct device_facts *facts,
                    struct driver_facts *driver)
{
    (void)index;
    (void)driver;
    *facts = (struct device_facts){ .kind = DEVICE_CUDA,
                                    .sm_count = 4,
                                    .l2_bytes = 1 << 20 };
    return RESULT;
}

const char *nvml_open(const char *pci_address, struct driver_facts *facts)
{
    (void)pci_address;
    (void)facts;
    return NULL;
}

void nvml_sense(struct sensors *sensors)
{
    *sensors = sensors_unknown();
}

int kernels_flush(const void *memory, size_t bytes)
{
    (void)memory;
    (void)bytes;
    return logged('F', __func__);
}

static const struct gate *last_gate;

bool fake_gate_is_open(void)
{
    return last_gate->opened == last_gate->arrived;
}

int kernels_gate(struct gate *gate, unsigned ticket, double patience_us)
{
    (void)patience_us;
    last_gate = gate;
    gate->arrived = ticket;
    if (fake_cuda.gives_up)
        gate->gave_up = ticket;
    return logged('G', __func__);
}

int kernels_empty(void *stream)
{
    (void)stream;
    return logged('.', __func__);
}

int kernels_stamp(struct stamp *stamps, int sm_count)
{
    for (int sm = 0; sm < sm_count; ++sm) /* 2 cycles a nanosecond */
        stamps[sm] = (struct stamp){ 2000 * (long long)fake_cuda.clock_us + 2,
                                     1000 * (long long)fake_cuda.clock_us + 1 };
    return RESULT;
}

int kernels_adds(bool is_double, int sm_count, int rounds, double *adds)
{
    *adds = (double)sm_count * rounds;
    fake_cuda.clock_us += is_double ? 2 : 1;
    return RESULT;
}
