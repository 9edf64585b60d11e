/* SPDX-License-Identifier: MIT
 *
 * Movers: policies that copy spans of a tensor into shared memory and back. The
 * architecture determines the mover (tile_mover, below). A mover has one
 * buffer, which holds one span at a time. In order:
 *   init()          one thread, before all others; a barrier follows
 *   start(span)     starts the copies: called by one thread if the mover works
 *                   `alone`, else by every thread
 *   land(span)      every thread: copies what start() leaves out, and waits for
 *                   this thread's copies
 *   wait(place)     the same for a tile, and until every thread may read it
 *   release()       every thread that wrote to the buffer; a barrier follows,
 *                   then the next start()
 *   store(span, x, to)  every thread: copies a span of results back, which lie
 *                   at x as the elements in the buffer; a barrier precedes the
 *                   next start()
 * prefetch(span) brings a later span into the L2; the threads of start() call
 * it. Movers write nothing outside the span: see clear_outside().
 */
#ifndef VARIANTS_COMMON_LOOK_BACK_TILE_MOVER_CUH
#define VARIANTS_COMMON_LOOK_BACK_TILE_MOVER_CUH

#include "variants/common/access/async_copy.cuh"
#include "variants/common/look_back/look_back.cuh"

/* A span in shared memory, from its origin on, and its mask. */
template <class T>
struct tile_buffer {
    T *x;
    uint8_t *mask;
};

/* Bulk copies, started by one thread. Only the ends of a span that share 16
 * bytes with a neighbour are loaded singly. */
template <class T, bool Masked>
struct bulk_mover {
    using shared = uint64_t; /* the barrier that counts arriving bytes */
    static constexpr bool alone = true;

    const T *in;
    const uint8_t *in_mask;
    tile_buffer<T> to;
    shared *loaded;
    unsigned parity;

    __device__ __forceinline__ void init(void)
    {
        bulk_init(loaded, 1);
    }
    __device__ __forceinline__ void start(const struct span &s)
    {
        span_load_kept<Masked>(s, in, in_mask, to.x, to.mask, loaded);
    }
    __device__ __forceinline__ void land(const struct span &s)
    {
        span_wait<Masked>(s, in, in_mask, to.x, to.mask, loaded, &parity);
    }
    __device__ __forceinline__ void wait(const struct tile_place &p)
    {
        if (p.inside) {
            bulk_wait(loaded, parity);
            parity ^= 1;
            return;
        }
        land(p.part);
        bulk_fence(); /* the buffer's next tile comes by bulk copies */
        __syncthreads();
    }
    __device__ __forceinline__ void release(void)
    {
        bulk_fence();
    }
    __device__ __forceinline__ void prefetch(const struct span &s)
    {
        span_prefetch<Masked>(s, in, in_mask);
    }
    template <class Out>
    __device__ __forceinline__ void store(const struct span &s, const Out *x,
                                          Out *out)
    {
        bulk_fence();
        __syncthreads();
        if (threadIdx.x == 0 && s.bulk_begin < s.bulk_end) {
            bulk_store_first(
                out + s.bulk_begin, x + (s.bulk_begin - s.origin),
                (unsigned)((s.bulk_end - s.bulk_begin) * sizeof(Out)),
                evict_first_policy());
            bulk_commit();
        }
        span_rest(s, [&](int64_t e) { out[e] = x[e - s.origin]; });
        if (threadIdx.x == 0)
            bulk_wait_read();
    }
};

/* Copies of vectors by every thread of the block: asynchronous where the
 * architecture has these, else through registers. The ends as in bulk_mover. */
template <class T, bool Masked, int Threads>
struct thread_mover {
    struct shared {
    };
    static constexpr bool alone = false;

    const T *in;
    const uint8_t *in_mask;
    tile_buffer<T> to;
    shared *none;
    unsigned parity;

    __device__ __forceinline__ void init(void)
    {
    }
    __device__ __forceinline__ void start(const struct span &s)
    {
        const int count = (int)(s.bulk_end - s.bulk_begin);
        const int at = (int)(s.bulk_begin - s.origin);
        const uint64_t policy = evict_last_policy();
        async_copy_run<Threads>(to.x + at, in + s.bulk_begin, count / kVec<T>,
                                policy, threadIdx.x);
        if (Masked)
            async_copy_run<Threads>(to.mask + at, in_mask + s.bulk_begin,
                                    count / 16, policy, threadIdx.x);
    }
    __device__ __forceinline__ void land(const struct span &s)
    {
        span_rest(s, [&](int64_t e) {
            to.x[e - s.origin] = in[e];
            if (Masked)
                to.mask[e - s.origin] = in_mask[e];
        });
        async_wait();
    }
    __device__ __forceinline__ void wait(const struct tile_place &p)
    {
        if (p.inside)
            async_wait();
        else
            land(p.part);
        __syncthreads();
    }
    __device__ __forceinline__ void release(void)
    {
    }
    __device__ __forceinline__ void prefetch(const struct span &s)
    {
        const int64_t count = s.bulk_end - s.bulk_begin;
        prefetch_run<Threads>(in + s.bulk_begin, (int)(count * sizeof(T)));
        if (Masked)
            prefetch_run<Threads>(in_mask + s.bulk_begin, (int)count);
    }
    template <class Out>
    __device__ __forceinline__ void store(const struct span &s, const Out *x,
                                          Out *out)
    {
        constexpr int V = kVec<Out>;
        const int count = (int)(s.bulk_end - s.bulk_begin);
        const Out *from = x + (s.bulk_begin - s.origin);
        Out *there = out + s.bulk_begin;
        __syncthreads();
#pragma unroll 4
        for (int e = threadIdx.x * V; e < count; e += Threads * V)
            write_first(there + e, *(const uint4 *)(from + e));
        span_rest(s, [&](int64_t e) { out[e] = x[e - s.origin]; });
    }
};

/* The mover of the architecture that is compiled for, in a block of Threads. */
#if HAS_BULK_COPY
template <class T, bool Masked, int Threads>
using tile_mover = bulk_mover<T, Masked>;
#else
template <class T, bool Masked, int Threads>
using tile_mover = thread_mover<T, Masked, Threads>;
#endif

/* Pads a tile in shared memory outside of its line: a few elements before it,
 * and those after it up to the end of the part of Part elements in which the
 * line ends; nothing is read beyond. Every thread of the block calls it. */
template <class Op, int Part, int Tile, class T>
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
        tile[e] = Op::pad();
#pragma unroll 1
    for (int e = end + threadIdx.x; e < vectors; e += blockDim.x)
        tile[e] = Op::pad();
#pragma unroll 1
    for (int e = vectors + threadIdx.x * kVec<T>; e < last;
         e += blockDim.x * kVec<T>)
        *(uint4 *)(tile + e) = pad_words<Op, uint4>();
}

#endif
