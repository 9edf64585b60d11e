/* SPDX-License-Identifier: MIT
 *
 * Ranks on the GPUs of one host, or as streams of one.
 */
#include "harness/device/cuda_error.h"
#include "harness/device/kernels.h"
#include "harness/device/over_ranks.h"

#include <cuda_runtime_api.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef SCANBENCH_NCCL
#include <nccl.h>
#endif

/* Events that order streams; a launch takes a few of them, in turn. */
enum { EVENTS = 64 };

static struct {
    cudaEvent_t event[RANKS_MOST][EVENTS]; /* of each rank's GPU */
    void *flush[RANKS_MOST];
    const struct ranks *ranks;
    int next;
} gpus;

static int cuda_reach(int first)
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

/* Peer access that is enabled already is no error. */
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
static const char *describe(ncclResult_t result)
{
    static char why[128];
    if (result == ncclSuccess)
        return NULL;
    snprintf(why, sizeof why, "NCCL: %s", ncclGetErrorString(result));
    return why;
}

/* The first exchange also connects the GPUs, which is slow. */
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
    const char *why = describe(result == ncclSuccess ? ended : result);
    if (why)
        return why;
    for (int r = 0; r < ranks->count; ++r) {
        TRY(cudaSetDevice(ranks->rank[r].gpu));
        TRY(cudaDeviceSynchronize());
        cudaFree(from[r]);
        cudaFree(to[r]);
    }
    return NULL;
}
#endif

/* NVLink multicast stays off: it can put shared GPUs out of service. */
static const char *open_nccl(struct ranks *ranks)
{
#ifdef SCANBENCH_NCCL
    int devices[RANKS_MOST];
    ncclComm_t comms[RANKS_MOST];
    for (int r = 0; r < ranks->count; ++r)
        devices[r] = ranks->rank[r].gpu;
    setenv("NCCL_NVLS_ENABLE", "0", 1);
    const char *why = describe(ncclCommInitAll(comms, ranks->count, devices));
    if (why)
        return why;
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
    /* An event belongs to the GPU of the stream that records it. */
    int r = 0;
    while (r + 1 < gpus.ranks->count && gpus.ranks->rank[r].stream != first &&
           gpus.ranks->rank[r].side != first)
        ++r;
    const cudaEvent_t event = gpus.event[r][gpus.next++ % EVENTS];
    cudaError_t error = cudaSetDevice(gpus.ranks->rank[r].gpu);
    if (error == cudaSuccess)
        error = cudaEventRecord(event, (cudaStream_t)first);
    /* The default stream is the selected GPU's; rank 0's is timed. */
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

static const char *cuda_select(const struct rank *rank)
{
    TRY(cudaSetDevice(rank->gpu));
    return NULL;
}

/* A 2D copy does not accept a pitch of gigabytes. */
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

static const char *cuda_wait(const struct ranks *ranks)
{
    for (int r = ranks->count - 1; r >= 0; --r) { /* ends with the first */
        TRY(cudaSetDevice(ranks->rank[r].gpu));
        TRY(cudaDeviceSynchronize());
    }
    return NULL;
}

/* The first GPU's cache is flushed with every sample, the others' here.
 * Resetting persisting lines fails on a GPU that has none. */
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
        TRY(kernels_flush(gpus.flush[r], bytes));
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

/* The first GPU is selected again, even after a failure. */
static int cuda_join(const struct ranks *ranks, void *stream)
{
    int error = 0;
    for (int r = 0; r < ranks->count && !error; ++r)
        error = follow(ranks->rank[r].stream, stream);
    const int selected = (int)cudaSetDevice(ranks->rank[0].gpu);
    return error ? error : selected;
}

const struct rank_gpus rank_gpus = { cuda_reach, cuda_open, cuda_select,
                                     cuda_copy,  cuda_wait, cuda_flush,
                                     cuda_fork,  cuda_join };
