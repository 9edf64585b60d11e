/* SPDX-License-Identifier: MIT
 *
 * Kernels for timing: the cache flush, the gate, the clocks and the flat roof;
 * and the crowd, which occupies multiprocessors.
 */
#include "harness/device/kernels_walk.h"

static __global__ void flush_kernel(const uint4 *memory, int64_t vectors,
                                    unsigned *sink)
{
    unsigned word = 0;
    for (GRID_STRIDE(v, vectors)) {
        const uint4 x = memory[v];
        word |= x.x | x.y | x.z | x.w;
    }
    if (word == 0x5ca9b37cu) /* hardly ever; keeps the loads */
        *sink = word;
}

int kernels_flush(const void *memory, size_t bytes)
{
    const int64_t vectors = (int64_t)(bytes / 16);
    flush_kernel<<<(unsigned)blocks_for((vectors + 3) / 4), kThreads>>>(
        (const uint4 *)memory, vectors, (unsigned *)memory);
    return cudaGetLastError();
}

static __device__ long long global_ns()
{
    long long ns;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
    return ns;
}

static __global__ void gate_kernel(struct gate *gate, unsigned ticket,
                                   long long patience_ns)
{
    const long long start = global_ns();
    gate->arrived = ticket;
    while ((int)(gate->opened - ticket) < 0)
        if (global_ns() - start > patience_ns) {
            gate->gave_up = ticket;
            return;
        }
}

int kernels_gate(struct gate *gate, unsigned ticket, double patience_us)
{
    gate_kernel<<<1, 1>>>(gate, ticket, (long long)(patience_us * 1e3));
    return cudaGetLastError();
}

static __global__ void crowd_kernel(struct crowd *crowd, unsigned *arrivals,
                                    long long patience_ns)
{
    const long long start = global_ns();
    if (atomicAdd(arrivals, 1u) == gridDim.x - 1)
        crowd->complete = 1;
    while (!crowd->leave && global_ns() - start < patience_ns)
        __nanosleep(1000);
}

int kernels_crowd(struct crowd *crowd, unsigned *arrivals, int blocks,
                  int shared_bytes, double patience_us, void *stream)
{
    /* A block gets all the shared memory, so that no other block fits. */
    const cudaError_t error = cudaFuncSetAttribute(
        crowd_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
        shared_bytes);
    if (error != cudaSuccess)
        return error;
    crowd_kernel<<<blocks, 1, shared_bytes, (cudaStream_t)stream>>>(
        crowd, arrivals, (long long)(patience_us * 1e3));
    return cudaGetLastError();
}

static __global__ void empty_kernel()
{
}

int kernels_empty(void *stream)
{
    empty_kernel<<<1, 32, 0, (cudaStream_t)stream>>>();
    return cudaGetLastError();
}

static __global__ void stamp_kernel(struct stamp *stamps, int sm_count)
{
    int sm;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    if (sm < sm_count)
        stamps[sm] = { clock64(), global_ns() };
}

int kernels_stamp(struct stamp *stamps, int sm_count)
{
    stamp_kernel<<<sm_count, 1>>>(stamps, sm_count);
    return cudaGetLastError();
}

constexpr int kChains = 8, kUnroll = 64;

/* Eight independent chains of additions per thread. */
template <class T>
__global__ void adds_kernel(T step, int rounds, T *sink)
{
    T sum[kChains];
    for (int k = 0; k < kChains; ++k)
        sum[k] = T(threadIdx.x + k);
    for (int round = 0; round < rounds; ++round)
#pragma unroll
        for (int u = 0; u < kUnroll; ++u)
#pragma unroll
            for (int k = 0; k < kChains; ++k)
                sum[k] += step;
    T all = 0;
    for (int k = 0; k < kChains; ++k)
        all += sum[k];
    if (all == T(-1)) /* never */
        *sink = all;
}

int kernels_adds(bool is_double, int sm_count, int rounds, double *adds)
{
    const int blocks = sm_count * 8;
    if (is_double)
        adds_kernel<double><<<blocks, kThreads>>>(1.0, rounds, NULL);
    else
        adds_kernel<float><<<blocks, kThreads>>>(1.0f, rounds, NULL);
    *adds = (double)blocks * kThreads * rounds * kUnroll * kChains;
    return cudaGetLastError();
}
