/* SPDX-License-Identifier: MIT */
#include "harness/device/differ.h"

#include <cuda_runtime.h>

static __device__ unsigned long long first_difference;

/* Bytes, since what is compared may begin at any element. */
static __global__ void differ(const uint8_t *__restrict__ left,
                              const uint8_t *__restrict__ right, int64_t bytes)
{
    const int64_t step = (int64_t)gridDim.x * blockDim.x;
    for (int64_t at = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
         at < bytes; at += step)
        if (left[at] != right[at]) {
            atomicMin(&first_difference, (unsigned long long)at);
            return;
        }
}

int differ_first(const void *left, const void *right, int64_t bytes,
                 int64_t *first)
{
    constexpr int kThreads = 256, kMostBlocks = 4096;
    const unsigned long long none = ~0ull;
    const int64_t blocks = (bytes + kThreads - 1) / kThreads;
    unsigned long long found = none;
    *first = -1;
    if (bytes <= 0)
        return cudaSuccess;
    cudaError_t error =
        cudaMemcpyToSymbol(first_difference, &none, sizeof none);
    if (error != cudaSuccess)
        return error;
    differ<<<(unsigned)(blocks < kMostBlocks ? blocks : kMostBlocks),
             kThreads>>>((const uint8_t *)left, (const uint8_t *)right, bytes);
    error = cudaGetLastError();
    if (error == cudaSuccess)
        error = cudaMemcpyFromSymbol(&found, first_difference, sizeof found);
    if (found != none)
        *first = (int64_t)found;
    return error;
}
