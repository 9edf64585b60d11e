/* SPDX-License-Identifier: MIT
 *
 * A span of a tensor in shared memory, unconverted and at any alignment: for
 * kernels that pack whole lines or slabs into a tile.
 */
#ifndef VARIANTS_REDUCE_SPANS_PACKED_TILE_CUH
#define VARIANTS_REDUCE_SPANS_PACKED_TILE_CUH

#include "variants/common/access/async_copy.cuh"
#include "variants/common/kernel.cuh"

/* Copies elements [begin, begin + count) of a tensor of `elems` elements to
 * tile[low] and on, where `low` is the number of elements between the last
 * 16-byte boundary and them. Vectors that reach beyond the tensor are copied in
 * single elements. All threads of the block call it; it ends with a barrier. */
template <class T>
__device__ __forceinline__ void load_packed(const T *in, int64_t elems,
                                            int64_t begin, int count, int low,
                                            T *tile)
{
    constexpr int V = kVec<T>;
    const T *x = in + begin - low;
    const int64_t left = elems - begin + low;
    const int from = begin < low ? low : 0;
    const int high = low + count;
    const int to = left < high + V ? (int)left : high + V;
    const int first = from > 0 ? V : 0; /* of the whole vectors */
    const int whole = min(high + V - 1, to) / V * V;
    const int end = max(whole, first);
    const int step = blockDim.x * V;
#pragma unroll 4
    for (int e = first + threadIdx.x * V; e < end; e += step)
        async_copy_vector(tile + e, x + e);
    for (int k = from + threadIdx.x; k < min(first, high); k += blockDim.x)
        tile[k] = x[k];
    for (int k = end + threadIdx.x; k < high; k += blockDim.x)
        tile[k] = x[k];
    async_wait();
    __syncthreads();
}

#endif
