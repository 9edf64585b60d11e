/* SPDX-License-Identifier: MIT
 *
 * The environment of CUB's functions that take a level of determinism.
 */
#ifndef VARIANTS_COMMON_CUB_ENVIRONMENT_CUH
#define VARIANTS_COMMON_CUB_ENVIRONMENT_CUH

#include "variants/common/cub_functors.cuh"

#if __has_include(<cuda/execution>)
#include <cuda/execution>
#include <new>

/* Gives CUB the workspace in place of memory of its own. With a NULL workspace
 * it only sets *wanted, and CUB ends before it launches. */
struct cub_given_memory {
    void *workspace;
    size_t *wanted;
    void *allocate(cuda::stream_ref, size_t bytes, size_t)
    {
        *wanted = bytes;
        return workspace ? workspace : throw std::bad_alloc();
    }
    void deallocate(cuda::stream_ref, void *, size_t, size_t) noexcept
    {
    }
    void *allocate_sync(size_t bytes, size_t alignment)
    {
        return allocate(cuda::stream_ref{ cudaStream_t{} }, bytes, alignment);
    }
    void deallocate_sync(void *, size_t, size_t) noexcept
    {
    }
    bool operator==(const cub_given_memory &) const = default;
    friend void get_property(const cub_given_memory &,
                             cuda::mr::device_accessible) noexcept
    {
    }
};

/* The environment for cub_launch() and cub_workspace_bytes(): their stream and
 * memory, and a level of cuda::execution::determinism. */
template <class Level>
auto cub_environment(void *temp, size_t *bytes, cudaStream_t stream)
{
    return cuda::std::execution::env{
        cuda::std::execution::prop{ cuda::get_stream,
                                    cuda::stream_ref{ stream } },
        cuda::std::execution::prop{ cuda::mr::get_memory_resource,
                                    cub_given_memory{ temp, bytes } },
        cuda::execution::require(Level{})
    };
}
#endif

#endif
