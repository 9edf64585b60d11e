/* SPDX-License-Identifier: MIT
 *
 * How a tile of a contiguous line gets into shared memory: a mover, which a
 * design takes as a policy. A mover has one buffer and one tile in it at a
 * time; a tile's way is
 *   begin(p)        by the one thread that knows the place first: starts what
 *                   a single thread can start,
 *   begin_all(p)    by every thread, once all know the place: the rest,
 *   wait(p)         by every thread: until the tile can be read by all,
 *   release()       by every thread that wrote to the buffer; a barrier, and
 *                   the next tile's begin(), come after it.
 * init() comes before all, by one thread, and a barrier after it. prefetch()
 * asks the L2 for a later tile, by one thread. What of the buffer lies outside
 * of the tile's line is no mover's business: see clear_outside().
 */
#ifndef VARIANTS_COMMON_TILE_MOVER_CUH
#define VARIANTS_COMMON_TILE_MOVER_CUH

#include "variants/common/look_back.cuh"

/* Where a tile lies in shared memory, and its mask. */
template <class T>
struct tile_buffer {
    T *x;
    uint8_t *mask;
};

/* Bulk copies (compute capability 9.0): one thread starts them all. Only the
 * ends of a line that share 16 bytes with a neighbour come by single loads. */
template <class T, bool Masked>
struct bulk_mover {
    using shared = uint64_t; /* the barrier that counts arriving bytes */

    const T *in;
    const uint8_t *in_mask;
    tile_buffer<T> to;
    shared *loaded;
    unsigned parity;

    __device__ __forceinline__ void init(void)
    {
        bulk_init(loaded, 1);
    }
    __device__ __forceinline__ void begin(const struct tile_place &p)
    {
        span_ask_kept<Masked>(p.part, in, in_mask, to.x, to.mask, loaded);
    }
    __device__ __forceinline__ void begin_all(const struct tile_place &)
    {
    }
    template <class Barrier = block_barrier>
    __device__ __forceinline__ void wait(const struct tile_place &p)
    {
        if (p.inside) {
            bulk_wait(loaded, parity);
            parity ^= 1;
            return;
        }
        span_wait<Masked>(p.part, in, in_mask, to.x, to.mask, loaded, &parity);
        bulk_fence(); /* the buffer's next tile comes by bulk copies */
        Barrier::wait();
    }
    __device__ __forceinline__ void release(void)
    {
        bulk_fence();
    }
    __device__ __forceinline__ void prefetch(const struct tile_place &p)
    {
        span_prefetch<Masked>(p.part, in, in_mask);
    }
};

/* Sets what of a tile in shared memory lies outside of its line to 0: a few
 * elements before it, and those after it up to the end of the part that the
 * line ends in, of Part elements; nothing is read beyond. Every thread of the
 * block, or of Threads. */
template <int Part, int Tile, class T>
__device__ __forceinline__ void clear_outside(const struct tile_place &p,
                                              T *tile)
{
    const int begin = (int)(p.part.begin - p.first);
    const int end = (int)max(p.part.end - p.first, (int64_t)0);
    const int last =
        Part == Tile ? Tile : min((end + Part - 1) / Part * Part, Tile);
    const int vectors = min((end + kVec<T> - 1) / kVec<T> * kVec<T>, last);
#pragma unroll 1
    for (int e = threadIdx.x; e < min(begin, last); e += blockDim.x)
        tile[e] = from_acc<T>(0);
#pragma unroll 1
    for (int e = end + threadIdx.x; e < vectors; e += blockDim.x)
        tile[e] = from_acc<T>(0);
#pragma unroll 1
    for (int e = vectors + threadIdx.x * kVec<T>; e < last;
         e += blockDim.x * kVec<T>)
        *(uint4 *)(tile + e) = {};
}

#endif
