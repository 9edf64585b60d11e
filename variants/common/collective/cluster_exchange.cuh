/* SPDX-License-Identifier: MIT
 *
 * The blocks of a cluster exchange accumulators: each writes its own into the
 * shared memory of another, where a barrier counts the bytes, or reads those of
 * the others after a barrier of the cluster.
 */
#ifndef VARIANTS_COMMON_COLLECTIVE_CLUSTER_EXCHANGE_CUH
#define VARIANTS_COMMON_COLLECTIVE_CLUSTER_EXCHANGE_CUH

#include "variants/common/launch/delays.cuh"
#include "variants/common/access/bulk_copy.cuh"

__device__ __forceinline__ unsigned cluster_rank(void)
{
    unsigned rank;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}

/* Makes the barriers that this thread has initialised visible to the cluster.
 */
__device__ __forceinline__ void cluster_barriers_ready(void)
{
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

/* Relaxed: only barriers have to be visible to the other blocks, and a release
 * would make every thread wait for its stores. */
__device__ __forceinline__ void cluster_arrive(void)
{
    asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
}

__device__ __forceinline__ void cluster_wait(void)
{
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}

/* A barrier of all the cluster's threads, after which their writes are
 * visible. */
__device__ __forceinline__ void cluster_sync(void)
{
    asm volatile("barrier.cluster.arrive.release.aligned;\n\t"
                 "barrier.cluster.wait.acquire.aligned;" ::
                     : "memory");
}

/* The address in block `rank` of the cluster that corresponds to p. */
__device__ __forceinline__ unsigned address_at(unsigned rank, const void *p)
{
    unsigned there;
    asm("mapa.shared::cluster.u32 %0, %1, %2;"
        : "=r"(there)
        : "r"(shared_address(p)), "r"(rank));
    return there;
}

/* Reads *p of block `rank` of the cluster. */
template <class Acc>
__device__ __forceinline__ Acc read_at(unsigned rank, const Acc *p)
{
    const unsigned there = address_at(rank, p);
    if constexpr (std::is_same_v<Acc, double>) {
        double sum;
        asm volatile("ld.shared::cluster.f64 %0, [%1];"
                     : "=d"(sum)
                     : "r"(there)
                     : "memory");
        return sum;
    } else if constexpr (std::is_same_v<Acc, float>) {
        float sum;
        asm volatile("ld.shared::cluster.f32 %0, [%1];"
                     : "=f"(sum)
                     : "r"(there)
                     : "memory");
        return sum;
    } else {
        struct words {
            uint32_t word[sizeof(Acc) / 4];
        } x;
#pragma unroll
        for (int k = 0; k < (int)sizeof(Acc) / 4; ++k)
            asm volatile("ld.shared::cluster.b32 %0, [%1];"
                         : "=r"(x.word[k])
                         : "r"(there + 4 * k)
                         : "memory");
        return __builtin_bit_cast(Acc, x);
    }
}

/* Writes an accumulator to *to of block `rank`, whose *barrier counts its
 * bytes. */
template <class Acc>
__device__ __forceinline__ void send_sum(unsigned rank, Acc *to, Acc sum,
                                         uint64_t *barrier)
{
    const unsigned there = address_at(rank, to);
    const unsigned counter = address_at(rank, barrier);
    delay();
    if constexpr (sizeof(Acc) == 8) {
        asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.b64"
                     " [%0], %1, [%2];" ::"r"(there),
                     "l"(__builtin_bit_cast(uint64_t, sum)), "r"(counter)
                     : "memory");
    } else {
        struct words {
            uint32_t word[sizeof(Acc) / 4];
        };
        const auto x = __builtin_bit_cast(words, sum);
#pragma unroll
        for (int k = 0; k < (int)sizeof(Acc) / 4; ++k)
            asm volatile(
                "st.async.shared::cluster.mbarrier::complete_tx::bytes.b32"
                " [%0], %1, [%2];" ::"r"(there + 4 * k),
                "r"(x.word[k]), "r"(counter)
                : "memory");
    }
}

/* Blocks of the largest cluster. All devices that have clusters support eight,
 * which is portable; compute capabilities 9.0 and 10.x support sixteen. No
 * attribute of a device has this number, and
 * cudaOccupancyMaxPotentialClusterSize() has it for the current device alone,
 * not for one that is pretended (src/pretend.h). */
constexpr unsigned kPortableCluster = 8;
inline int cluster_most(const struct problem *p)
{
    const int capability = p->device->compute_capability;
    return capability >= 90 && capability < 110 ? 16 : (int)kPortableCluster;
}

/* Launches a kernel in clusters of `blocks` blocks. */
template <class... Params, class... Args>
int cluster_launch(void (*kernel)(Params...), int64_t clusters, unsigned blocks,
                   int threads, int shared_bytes, void *stream, Args... args)
{
    if (blocks > kPortableCluster) {
        const cudaError_t error = cudaFuncSetAttribute(
            kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
        if (error != cudaSuccess)
            return error;
    }
    cudaLaunchAttribute cluster = {};
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim.x = blocks;
    cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = grid_x(clusters * blocks) / blocks * blocks;
    config.blockDim = (unsigned)threads;
    config.dynamicSmemBytes = (size_t)shared_bytes;
    config.stream = (cudaStream_t)stream;
    config.attrs = &cluster;
    config.numAttrs = 1;
    const cudaError_t error =
        cudaLaunchKernelEx(&config, kernel, (Params)args...);
    return error != cudaSuccess ? error : cudaGetLastError();
}

#endif
