/* SPDX-License-Identifier: MIT
 *
 * Ranks on the GPUs of one host, or as streams of one.
 */
#include "harness/device/kernels.h"
#include "harness/device/over_ranks.h"

#include <cuda_runtime_api.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef SCANBENCH_NCCL
#include <nccl.h>
#endif

/* What follow() and fork() order streams by; they take turns, as a launch uses
 * few of them. */
enum { EVENTS = 64 };

static struct {
    cudaEvent_t event[RANKS_MOST][EVENTS]; /* of each rank's GPU */
    void *flush[RANKS_MOST];
    const struct ranks *ranks;
    int next;
    bool opened;
    char why[256];
} gpus;

static const char *describe(cudaError_t error)
{
    if (error == cudaSuccess)
        return NULL;
    snprintf(gpus.why, sizeof gpus.why, "several ranks: %s: %s",
             cudaGetErrorName(error), cudaGetErrorString(error));
    return gpus.why;
}

#define TRY(expression)                                                        \
    do {                                                                       \
        const char *why_ = describe(expression);                               \
        if (why_)                                                              \
            return why_;                                                       \
    } while (0)

int rank_gpus_cuda(int first)
{
    int count = 0, reached = 1;
    if (cudaGetDeviceCount(&count) != cudaSuccess)
        return 1;
    for (int other = first + 1; other < count && reached < RANKS_MOST; ++other)
        for (int gpu = first; gpu < other; ++gpu) {
            int there = 0, back = 0;
            cudaDeviceCanAccessPeer(&there, gpu, other);
            cudaDeviceCanAccessPeer(&back, other, gpu);
            if (!there || !back)
                return reached;
            reached += gpu + 1 == other;
        }
    return reached;
}

/* Both ways; that it is enabled already is no failure. */
static const char *enable_peers(const struct ranks *ranks)
{
    for (int r = 0; r < ranks->count; ++r)
        for (int q = 0; q < ranks->count; ++q) {
            if (ranks->rank[r].gpu == ranks->rank[q].gpu)
                continue;
            TRY(cudaSetDevice(ranks->rank[r].gpu));
            const cudaError_t error =
                cudaDeviceEnablePeerAccess(ranks->rank[q].gpu, 0);
            if (error != cudaErrorPeerAccessAlreadyEnabled)
                TRY(error);
            (void)cudaGetLastError();
        }
    return NULL;
}

#ifdef SCANBENCH_NCCL
/* The first exchange connects the GPUs, for as long as hundreds of launches. */
static const char *connect_nccl(const struct ranks *ranks)
{
    float *from[RANKS_MOST], *to[RANKS_MOST];
    for (int r = 0; r < ranks->count; ++r) {
        TRY(cudaSetDevice(ranks->rank[r].gpu));
        TRY(cudaMalloc((void **)&from[r], sizeof **from));
        TRY(cudaMalloc((void **)&to[r], sizeof **to * (size_t)ranks->count));
    }
    ncclResult_t result = ncclGroupStart();
    for (int r = 0; r < ranks->count && result == ncclSuccess; ++r)
        result = ncclAllGather(from[r], to[r], 1, ncclFloat32,
                               ranks->rank[r].comm, ranks->rank[r].stream);
    const ncclResult_t ended = ncclGroupEnd();
    result = result == ncclSuccess ? ended : result;
    if (result != ncclSuccess) {
        snprintf(gpus.why, sizeof gpus.why, "NCCL: %s",
                 ncclGetErrorString(result));
        return gpus.why;
    }
    for (int r = 0; r < ranks->count; ++r) {
        TRY(cudaSetDevice(ranks->rank[r].gpu));
        TRY(cudaDeviceSynchronize());
        cudaFree(from[r]);
        cudaFree(to[r]);
    }
    return NULL;
}
#endif

/* NVLink multicast can put a host's GPUs out of service where they are shared:
 * NCCL is told to do without. */
static const char *open_nccl(struct ranks *ranks)
{
#ifdef SCANBENCH_NCCL
    int devices[RANKS_MOST];
    ncclComm_t comms[RANKS_MOST];
    for (int r = 0; r < ranks->count; ++r)
        devices[r] = ranks->rank[r].gpu;
    setenv("NCCL_NVLS_ENABLE", "0", 1);
    const ncclResult_t result = ncclCommInitAll(comms, ranks->count, devices);
    if (result != ncclSuccess) {
        snprintf(gpus.why, sizeof gpus.why, "NCCL: %s",
                 ncclGetErrorString(result));
        return gpus.why;
    }
    for (int r = 0; r < ranks->count; ++r)
        ranks->rank[r].comm = comms[r];
    return connect_nccl(ranks);
#else
    (void)ranks;
    return "this build has no NCCL";
#endif
}

static int follow(void *first, void *second)
{
    /* An event belongs to a GPU: that of the rank whose stream it is. */
    int r = 0;
    while (r + 1 < gpus.ranks->count && gpus.ranks->rank[r].stream != first &&
           gpus.ranks->rank[r].side != first)
        ++r;
    const cudaEvent_t event = gpus.event[r][gpus.next++ % EVENTS];
    cudaError_t error = cudaSetDevice(gpus.ranks->rank[r].gpu);
    if (error == cudaSuccess)
        error = cudaEventRecord(event, (cudaStream_t)first);
    /* The default stream is the selected GPU's, and the first's is timed. */
    if (error == cudaSuccess && !second)
        error = cudaSetDevice(gpus.ranks->rank[0].gpu);
    if (error == cudaSuccess)
        error = cudaStreamWaitEvent((cudaStream_t)second, event, 0);
    return (int)error;
}

static const char *cuda_open(struct ranks *ranks, bool nccl)
{
    gpus.ranks = ranks;
    ranks->follow = follow;
    for (int r = 0; r < ranks->count; ++r) {
        cudaStream_t streams[2];
        TRY(cudaSetDevice(ranks->rank[r].gpu));
        for (int k = 0; k < 2; ++k)
            TRY(cudaStreamCreateWithFlags(&streams[k], cudaStreamNonBlocking));
        ranks->rank[r].stream = streams[0];
        ranks->rank[r].side = streams[1];
        for (int k = 0; k < EVENTS; ++k)
            TRY(cudaEventCreateWithFlags(&gpus.event[r][k],
                                         cudaEventDisableTiming));
        gpus.flush[r] = NULL;
    }
    const char *why = enable_peers(ranks);
    if (!why && nccl)
        why = open_nccl(ranks);
    TRY(cudaSetDevice(ranks->rank[0].gpu));
    return why;
}

static const char *cuda_allocate(const struct rank *rank, size_t bytes,
                                 void **memory)
{
    TRY(cudaSetDevice(rank->gpu));
    const cudaError_t error = cudaMalloc(memory, bytes);
    if (error == cudaErrorMemoryAllocation)
        (void)cudaGetLastError(); /* or the next launch reports it */
    TRY(cudaSetDevice(gpus.ranks->rank[0].gpu));
    return describe(error);
}

static void cuda_release(const struct rank *rank, void *memory)
{
    (void)rank; /* addresses tell the GPU */
    cudaFree(memory);
}

/* A pitch of gigabytes is none that a 2D copy takes: row by row then. */
static const char *cuda_copy(void *to, size_t to_pitch, const void *from,
                             size_t from_pitch, size_t width, size_t rows)
{
    if (rows > 1 && to_pitch <= INT_MAX && from_pitch <= INT_MAX) {
        TRY(cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, rows,
                              cudaMemcpyDefault, 0));
        return NULL;
    }
    for (size_t row = 0; row < rows; ++row)
        TRY(cudaMemcpyAsync((char *)to + row * to_pitch,
                            (const char *)from + row * from_pitch, width,
                            cudaMemcpyDefault, 0));
    return NULL;
}

static const char *cuda_set(const struct rank *rank, void *memory, int byte,
                            size_t bytes)
{
    TRY(cudaSetDevice(rank->gpu));
    TRY(cudaMemset(memory, byte, bytes));
    TRY(cudaDeviceSynchronize());
    TRY(cudaSetDevice(gpus.ranks->rank[0].gpu));
    return NULL;
}

static const char *cuda_wait(const struct ranks *ranks)
{
    for (int r = ranks->count - 1; r >= 0; --r) { /* the first stays selected */
        TRY(cudaSetDevice(ranks->rank[r].gpu));
        TRY(cudaDeviceSynchronize());
    }
    return NULL;
}

/* The other GPUs' caches; the first's is flushed with every sample. Lines that
 * a kernel asked them to keep are ordinary again; not every GPU can keep any.
 */
static const char *cuda_flush(const struct ranks *ranks, size_t bytes)
{
    for (int r = 1; r < ranks->count; ++r) {
        if (ranks->rank[r].gpu == ranks->rank[0].gpu)
            continue;
        TRY(cudaSetDevice(ranks->rank[r].gpu));
        if (!gpus.flush[r]) {
            TRY(cudaMalloc(&gpus.flush[r], bytes));
            TRY(cudaMemset(gpus.flush[r], 1, bytes));
        }
        (void)cudaCtxResetPersistingL2Cache();
        (void)cudaGetLastError();
        TRY((cudaError_t)kernels_flush(gpus.flush[r], bytes));
    }
    return cuda_wait(ranks);
}

static int cuda_fork(const struct ranks *ranks, void *stream)
{
    const cudaEvent_t event = gpus.event[0][gpus.next++ % EVENTS];
    cudaError_t error = cudaSetDevice(ranks->rank[0].gpu);
    if (error == cudaSuccess)
        error = cudaEventRecord(event, (cudaStream_t)stream);
    for (int r = 0; r < ranks->count && error == cudaSuccess; ++r)
        error =
            cudaStreamWaitEvent((cudaStream_t)ranks->rank[r].stream, event, 0);
    return (int)error;
}

/* Whatever failed before, the first GPU is the selected one again. */
static int cuda_join(const struct ranks *ranks, void *stream)
{
    int error = 0;
    for (int r = 0; r < ranks->count && !error; ++r)
        error = follow(ranks->rank[r].stream, stream);
    const int selected = (int)cudaSetDevice(ranks->rank[0].gpu);
    return error ? error : selected;
}

const struct rank_machine rank_machine_cuda = {
    cuda_open, cuda_allocate, cuda_release, cuda_copy, cuda_set,
    cuda_wait, cuda_flush,    cuda_fork,    cuda_join
};
