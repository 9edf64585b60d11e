/* SPDX-License-Identifier: MIT
 *
 * Launches a kernel that needs cleared memory, be it counters, tickets or the
 * states of tiles. Unless the memory is large, the kernel starts during the
 * clear, and waits only before its first access.
 */
#ifndef VARIANTS_COMMON_LAUNCH_CLEAR_EARLY_CUH
#define VARIANTS_COMMON_LAUNCH_CLEAR_EARLY_CUH

#include "variants/common/launch/programmatic_launch.cuh"

/* Clears words of four bytes, or, if `wide`, of sixteen. */
static __global__ void clear_early(uint32_t *memory, int64_t words, bool wide)
{
    early_allow();
    int64_t at = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    for (; at < words; at += (int64_t)gridDim.x * blockDim.x)
        if (wide)
            ((uint4 *)memory)[at] = {};
        else
            memory[at] = 0;
}

/* Clears `bytes` bytes at `memory`, both multiples of 4, and launches the
 * kernel, which calls early_wait() before it touches them: early, unless there
 * are none or the driver clears them faster. */
template <class... Params, class... Args>
int launch_cleared(const struct problem *p, void *memory, size_t bytes,
                   void (*kernel)(Params...), int64_t blocks, int threads,
                   int shared_bytes, void *stream, Args... args)
{
    constexpr int kThreads = 256;
    constexpr size_t kMost = 16 << 20;
    if (bytes > kMost) {
        const cudaError_t error =
            cudaMemsetAsync(memory, 0, bytes, (cudaStream_t)stream);
        if (error != cudaSuccess)
            return error;
    }
    if (bytes == 0 || bytes > kMost)
        return launch_kernel(kernel, blocks, threads, shared_bytes, stream,
                             args...);
    const bool wide = ((uintptr_t)memory | bytes) % 16 == 0;
    const int64_t words = (int64_t)bytes / (wide ? 16 : 4);
    const int64_t clearing = ceil_div(words, kThreads);
    const int error = launch_kernel(clear_early, clearing, kThreads, 0, stream,
                                    memory, words, wide);
    if (error != cudaSuccess)
        return error;
    return launch_early(p, kernel, blocks, threads, shared_bytes, stream,
                        args...);
}

#endif
