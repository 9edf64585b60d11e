/* SPDX-License-Identifier: MIT */
#include "harness/device/fingerprint.h"

#include <cuda_runtime.h>

constexpr int kThreads = 256, kMostBlocks = 4096;

static __device__ unsigned long long gathered_sum;

static __device__ void gather(uint64_t sum)
{
    for (int lanes = 16; lanes; lanes /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, lanes);
    if (threadIdx.x % 32 == 0)
        atomicAdd(&gathered_sum, (unsigned long long)sum);
}

static __global__ void sum_vectors(const ulonglong2 *__restrict__ vectors,
                                   int64_t count)
{
    uint64_t sum = 0;
    for (int64_t at = blockIdx.x * (int64_t)kThreads + threadIdx.x; at < count;
         at += gridDim.x * (int64_t)kThreads) {
        const ulonglong2 vector = vectors[at];
        sum += fingerprint_vector(vector.x, vector.y, at);
    }
    gather(sum);
}

/* Places count on from `first`, so that none is used twice. */
static __global__ void sum_halves(const uint16_t *__restrict__ halves,
                                  int64_t count, int64_t first)
{
    uint64_t sum = 0;
    for (int64_t at = blockIdx.x * (int64_t)kThreads + threadIdx.x; at < count;
         at += gridDim.x * (int64_t)kThreads)
        sum += fingerprint_vector(halves[at], 0, first + at);
    gather(sum);
}

static unsigned blocks_for(int64_t count)
{
    const int64_t blocks = (count + kThreads - 1) / kThreads;
    return (unsigned)(blocks < kMostBlocks ? blocks : kMostBlocks);
}

int fingerprint_of(const void *memory, int64_t bytes, uint64_t *fingerprint)
{
    unsigned long long sum = 0;
    const int64_t vector_bytes = fingerprint_vector_bytes(memory, bytes);
    const int64_t vectors = vector_bytes / FINGERPRINT_VECTOR;
    const int64_t halves = (bytes - vector_bytes) / 2;
    cudaError_t error = cudaMemcpyToSymbol(gathered_sum, &sum, sizeof sum);
    if (error != cudaSuccess)
        return error;
    if (vectors > 0)
        sum_vectors<<<blocks_for(vectors), kThreads>>>(
            (const ulonglong2 *)memory, vectors);
    if (halves > 0)
        sum_halves<<<blocks_for(halves), kThreads>>>(
            (const uint16_t *)((const char *)memory + vector_bytes), halves,
            vectors);
    error = cudaGetLastError();
    if (error == cudaSuccess)
        error = cudaMemcpyFromSymbol(&sum, gathered_sum, sizeof sum);
    *fingerprint = sum;
    return error;
}
