/* SPDX-License-Identifier: MIT
 *
 * Programmatic dependent launch: the next kernel of a stream starts before the
 * last one has ended, and waits for it only where it needs its results. For
 * small problems, starting a second kernel takes as long as the work itself.
 * From compute capability 9.0 on; elsewhere it is an ordinary launch.
 */
#ifndef VARIANTS_COMMON_LAUNCH_PROGRAMMATIC_LAUNCH_CUH
#define VARIANTS_COMMON_LAUNCH_PROGRAMMATIC_LAUNCH_CUH

#include "variants/common/launch/built_for.h"
#include "variants/common/launch/dispatch.cuh"

/* True if a kernel of this architecture may start before the one ahead of it in
 * the stream has ended. */
#if __CUDA_ARCH__ >= 900
constexpr bool kStartsEarly = true;
#else
constexpr bool kStartsEarly = false;
#endif

/* In the first kernel: once all its blocks call it, the next may start. */
__device__ __forceinline__ void early_allow(void)
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

/* In the next: waits until the first has ended and its writes are visible.
 * Every block calls it, so that a third kernel follows both. The first's output
 * changes while the next runs, so it is not const __restrict__ there, and is
 * read with __ldcg(). */
__device__ __forceinline__ void early_wait(void)
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

/* Queues the next kernel: early only if its code has the wait. */
template <class... Params, class... Args>
int launch_early(const struct problem *p, void (*kernel)(Params...),
                 int64_t blocks, int threads, int shared_bytes, void *stream,
                 Args... args)
{
    cudaLaunchAttribute early = {
        .id = cudaLaunchAttributeProgrammaticStreamSerialization
    };
    early.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = grid_x(blocks);
    config.blockDim = (unsigned)threads;
    config.dynamicSmemBytes = (size_t)shared_bytes;
    config.stream = (cudaStream_t)stream;
    config.attrs = &early;
    config.numAttrs = built_for(p, 90);
    return cudaLaunchKernelEx(&config, kernel, Params(args)...);
}

#endif
