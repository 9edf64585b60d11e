/* SPDX-License-Identifier: MIT */
#include "harness/device/guards.h"

#include <cuda_runtime.h>

constexpr int kThreads = 256, kBlocks = 64; /* a guard */

struct guards {
    struct guard at[MOST_GUARDS];
};

static guards copy_of(const struct guard *from, int count)
{
    guards g = {};
    for (int k = 0; k < count; ++k)
        g.at[k] = from[k];
    return g;
}

/* By bytes, since a buffer ends anywhere. */
static __global__ void write_kernel(const __grid_constant__ guards g)
{
    const struct guard guard = g.at[blockIdx.y];
    for (int at = blockIdx.x * kThreads + threadIdx.x; at < GUARD_BYTES;
         at += kBlocks * kThreads)
        guard.memory[at] = guard.byte;
}

/* A bit for every guard; 0 between calls. */
static __device__ unsigned broken_guards;

static __global__ void look_kernel(const __grid_constant__ guards g)
{
    const struct guard guard = g.at[blockIdx.y];
    bool broken = false;
    for (int at = blockIdx.x * kThreads + threadIdx.x; at < GUARD_BYTES;
         at += kBlocks * kThreads)
        broken |= guard.memory[at] != guard.byte;
    if (broken)
        atomicOr(&broken_guards, 1u << blockIdx.y);
}

int guards_write(const struct guard *guards, int count)
{
    if (count > 0)
        write_kernel<<<dim3(kBlocks, (unsigned)count), kThreads>>>(
            copy_of(guards, count));
    return cudaGetLastError();
}

int guards_look(const struct guard *guards, int count, int *broken)
{
    const unsigned none = 0;
    unsigned found = 0;
    *broken = -1;
    if (count == 0)
        return cudaSuccess;
    look_kernel<<<dim3(kBlocks, (unsigned)count), kThreads>>>(
        copy_of(guards, count));
    cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess)
        error = cudaMemcpyFromSymbol(&found, broken_guards, sizeof found);
    if (error != cudaSuccess || !found)
        return error;
    while (!(found >> ++*broken & 1))
        ;
    return cudaMemcpyToSymbol(broken_guards, &none, sizeof none);
}
