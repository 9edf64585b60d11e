/* SPDX-License-Identifier: MIT
 *
 * Launches a kernel that needs memory cleared first, be it counters, tickets or
 * the states of tiles: it starts while that is cleared, and waits only where it
 * needs it.
 */
#ifndef VARIANTS_CLEAR_EARLY_CUH
#define VARIANTS_CLEAR_EARLY_CUH

#include "variants/early_launch.cuh"

static __global__ void clear_early(uint4 *memory, int64_t vectors)
{
    early_allow();
    int64_t at = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    for (; at < vectors; at += (int64_t)gridDim.x * blockDim.x)
        memory[at] = {};
}

/* Clears so many bytes (a multiple of 16) at `memory` (on such a boundary) and
 * launches the kernel, which calls early_wait() before it touches them: early,
 * unless the clearing is long enough for the driver's to be quicker. */
template <class... Params, class... Args>
int launch_cleared(const struct problem *p, void *memory, size_t bytes,
                   void (*kernel)(Params...), unsigned blocks, int threads,
                   int shared_bytes, cudaStream_t stream, Args... args)
{
    constexpr int kThreads = 256;
    constexpr size_t kMost = 16 << 20;
    if (bytes > kMost) {
        const cudaError_t error = cudaMemsetAsync(memory, 0, bytes, stream);
        if (error != cudaSuccess)
            return error;
        kernel<<<blocks, threads, shared_bytes, stream>>>(Params(args)...);
        return cudaGetLastError();
    }
    const int64_t vectors = (int64_t)bytes / 16;
    clear_early<<<grid_x(ceil_div(vectors, kThreads)), kThreads, 0, stream>>>(
        (uint4 *)memory, vectors);
    const cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess)
        return error;
    return launch_early(p, kernel, blocks, threads, shared_bytes, stream,
                        args...);
}

#endif
