/* SPDX-License-Identifier: MIT
 *
 * Idea     A cluster of blocks shares a line, or a strip of columns; each
 *          block walks every so-manieth stretch of it, and the first one reads
 *          the others' sums out of their shared memory.
 * Against  split_axis_last_block: no counters, no partial sums in memory and
 *          nothing to clear, so one launch is really all. But a cluster is all
 *          that a line gets: it serves some tens of lines, where a block a
 *          line would be too few, and leaves most of the GPU idle at one.
 * Traffic  N elements: the compulsory minimum (passes = 1).
 * Needs    compute capability 9.0. Columns whose rows are not whole vectors
 *          are walked in single elements, unless one strip holds them all.
 * Source   none.
 */
#include <cooperative_groups.h>

#include "variants/delays.cuh"
#include "variants/sum/axis_split.cuh"

/* Adds the cluster's sums of place `at` of the block's shared memory up, and
 * of the places of the same column in the period's other rows. */
template <class Acc, int V, int Cluster>
__device__ __forceinline__ Acc cluster_column(Acc *shared, int64_t place,
                                              int64_t inner, int64_t places)
{
    Acc sum = 0;
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    auto cluster = cooperative_groups::this_cluster();
    for (int64_t e = place; e < places; e += inner) {
        Acc terms[Cluster];
#pragma unroll
        for (int rank = 0; rank < Cluster; ++rank)
            terms[rank] = cluster.map_shared_rank(
                shared, rank)[e % V * kSplitThreads + e / V];
        sum += pairwise_sum(terms);
    }
#endif
    return sum;
}

template <class T, int V, int Cluster, int Loads>
static __global__ void __launch_bounds__(kSplitThreads, kSplitBlocks<Loads>)
    cluster_sum(const T *__restrict__ in, T *__restrict__ out,
                struct shape shape, struct axis_split s)
{
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    __shared__ acc_t<T> shared[V * kSplitThreads];
    auto cluster = cooperative_groups::this_cluster();
    const int rank = (int)cluster.block_rank();
    const int64_t width = (int64_t)s.columns * V; /* places of a strip */

    for (int64_t tile = blockIdx.x / Cluster; tile < shape.outer * s.strips;
         tile += gridDim.x / Cluster) {
        const int64_t o = tile / s.strips, strip = tile % s.strips;

        /* load, upsweep */
        acc_t<T> sums[V];
        axis_split_walk<T, V, Loads>(in, shape, s, o, strip, rank, sums);
        delay();
        axis_split_join<V>(s, sums, shared);
        cluster.sync();
        delay();

        /* spine, store */
        const int64_t first = strip * width;
        const int64_t left = shape.inner - first;
        const int64_t columns = left < width ? left : width;
        for (int64_t i = rank * kSplitThreads + threadIdx.x; i < columns;
             i += Cluster * kSplitThreads)
            out[o * shape.inner + first + i] =
                from_acc<T>(cluster_column<acc_t<T>, V, Cluster>(
                    shared, i, shape.inner, width));
        cluster.sync(); /* all have read before a block writes or ends */
    }
#endif
}

/* Vectors, if a column's places all lie in one strip. */
template <class T>
static bool by_vectors(const struct problem *p)
{
    const struct axis_split s = axis_split_into<kVec<T>>(p->shape, 1);
    return axis_split_vectors(p) && (s.period == 1 || s.strips == 1);
}

template <class T, int V, int Cluster, int Loads>
static int launch_walk(const struct problem *p, cudaStream_t stream)
{
    auto kernel = cluster_sum<T, V, Cluster, Loads>;
    const struct axis_split s = axis_split_into<V>(p->shape, Cluster);
    const int64_t tiles = p->shape.outer * s.strips, most = 1 << 26;
    cudaLaunchAttribute cluster = { .id = cudaLaunchAttributeClusterDimension };
    cluster.val.clusterDim = { Cluster, 1, 1 };
    cudaLaunchConfig_t config = {};
    config.gridDim = (unsigned)(tiles < most ? tiles : most) * Cluster;
    config.blockDim = kSplitThreads;
    config.stream = stream;
    config.attrs = &cluster;
    config.numAttrs = 1;
    return cudaLaunchKernelEx(&config, kernel, (const T *)p->in, (T *)p->out,
                              p->shape, s);
}

template <int Cluster, int Loads>
static int launch(const struct problem *p, void *stream)
{
    return dispatch_dtype(p->dtype, [&](auto type) -> int {
        using T = typename decltype(type)::type;
        return by_vectors<T>(p)
                   ? launch_walk<T, kVec<T>, Cluster, Loads>(
                         p, (cudaStream_t)stream)
                   : launch_walk<T, 1, Cluster, Loads>(p, (cudaStream_t)stream);
    });
}

static const char *refuses(const struct problem *p)
{
    if (p->device->compute_capability < 90)
        return "needs clusters (compute capability 9.0)";
    if (p->shape.axis > (int64_t)1 << 32)
        return "one cluster would walk the line for too long";
    return NULL;
}

/* c: blocks of a cluster; i: items in flight, as in f32, four a load. Larger
 * clusters are not granted by every device, and synccheck reports even
 * straight-line code in them. */
#define POINT(cluster, items)                                                  \
    {                                                                          \
        .name = "cluster_sum_c" #cluster "_i" #items,                          \
        .idea = "a cluster shares a line and its shared memory",               \
        .runs_on = DEVICE_CUDA, .ops = OP_BIT(OP_SUM), .dtypes = DTYPES_ALL,   \
        .passes = 1, .error_growth = ERROR_TILED, .error_tile = 2,             \
        .deterministic = true, .refuses = refuses,                             \
        .launch = launch<cluster, items / 4>                                   \
    }

VARIANTS(sum__cluster_sum) = {
    POINT(8, 16),
    {},
};
