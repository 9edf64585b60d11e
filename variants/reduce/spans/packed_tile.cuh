/* SPDX-License-Identifier: MIT
 *
 * A span of a tensor in shared memory, unconverted and at any alignment: for
 * kernels that pack whole lines or slabs into a tile.
 */
#ifndef VARIANTS_REDUCE_SPANS_PACKED_TILE_CUH
#define VARIANTS_REDUCE_SPANS_PACKED_TILE_CUH

#include "variants/common/access/async_copy.cuh"
#include "variants/common/kernel.cuh"

/* Copies as load_packed() does, but without its barrier, a span at the tensor's
 * edge: vectors that reach beyond it are copied in single elements. */
template <class T>
__device__ __forceinline__ void load_edge(const T *in, int64_t elems,
                                          int64_t begin, int count, int low,
                                          T *tile)
{
    constexpr int V = kVec<T>;
    const T *x = in + begin - low;
    const int64_t left = elems - begin + low;
    const int from = begin < low ? low : 0;
    const int high = low + count;
    const int to = left < high + V ? (int)left : high + V;
    const int first = from > 0 ? V : 0; /* first whole vector */
    const int whole = min(high + V - 1, to) / V * V;
    const int end = max(whole, first);
    const int step = blockDim.x * V;
    for (int e = first + threadIdx.x * V; e < end; e += step)
        async_copy_vector(tile + e, x + e);
    for (int k = from + threadIdx.x; k < min(first, high); k += blockDim.x)
        tile[k] = x[k];
    for (int k = end + threadIdx.x; k < high; k += blockDim.x)
        tile[k] = x[k];
}

/* Copies elements [begin, begin + count) of a tensor of `elems` elements to
 * tile[low] and on, where `low` is the number of elements between the last
 * 16-byte boundary and them. All threads of the block call it; it ends with a
 * barrier. */
template <class T>
__device__ __forceinline__ void load_packed(const T *in, int64_t elems,
                                            int64_t begin, int count, int low,
                                            T *tile)
{
    constexpr int V = kVec<T>;
    const int64_t from = begin - low;
    const int vectors = (low + count + V - 1) / V;
    if (from >= 0 && from + vectors * V <= elems) {
        const T *x = in + from;
#pragma unroll 4
        for (int k = threadIdx.x; k < vectors; k += blockDim.x)
            async_copy_vector(tile + k * V, x + k * V);
    } else {
        load_edge(in, elems, begin, count, low, tile);
    }
    async_wait();
    __syncthreads();
}

#endif
