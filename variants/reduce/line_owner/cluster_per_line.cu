/* SPDX-License-Identifier: MIT
 *
 * Idea     A cluster of blocks takes a line, one piece per block, with eight
 *          loads in flight per thread. Every warp sends its result into the
 *          first block's shared memory, where one warp combines them, always in
 *          the same order. Or, without clusters, blocks share each line tile by
 *          tile (blocks_per_line): their results go through memory, and a
 *          second kernel combines them.
 * Against  row_tma_ring: threads load for themselves, so that all loads of a
 *          small problem are in flight at once; block_2d: serves columns, of
 *          which a warp needs several in a row.
 * Traffic  N elements: the compulsory minimum (passes = 1).
 * Needs    inner == 1; clusters (compute capability 9.0) and lines of 4 KiB to
 *          16 MiB; blocks_per_line: lines of 128 KiB and more.
 * Source   none.
 * Lesson   Launches, first instructions and round trips dominate small
 *          problems; one short kernel has the fewest.
 */
#include "variants/common/collective/cluster_exchange.cuh"
#include "variants/reduce/line_owner/line_edges.cuh"
#include "variants/reduce/split_axis/add_partials.cuh"

[[maybe_unused]] constexpr int kThreads = 512, kWarps = kThreads / 32,
                               kLoads = 8;
constexpr int kTile = kThreads * kLoads; /* vectors */
constexpr int64_t kTileBytes = kTile * 16;
[[maybe_unused]] constexpr int kMostBlocks = 16;             /* per cluster */
constexpr int64_t kLeastBytes = 4096, kMostBytes = 16 << 20; /* per line */

/* Combines sum with loaded vectors, half of them at once, by an operator with
 * absorb(): vector j begins at place_of(j) of the line, and is pad from vector
 * `count` on. */
template <class Op, class Vector, class Place>
__device__ __forceinline__ typename Op::acc
add_loads(typename Op::acc sum, const uint4 (&y)[kLoads], Vector vector_of,
          int count, Place place_of)
{
    constexpr int V = kVec<typename Op::element>, kHalf = kLoads / 2;
#pragma unroll
    for (int first = 0; first < kLoads; first += kHalf)
        if (vector_of(first) < count)
            sum = Op::template absorb<kHalf * V, ADJACENT>(
                sum,
                [&](int k) {
                    return __builtin_bit_cast(vec<typename Op::element>,
                                              y[first + k / V])
                        .item[k % V];
                },
                [&](int k) {
                    return max(place_of(first + k / V) + k % V, (int64_t)0);
                });
    return sum;
}

/* This thread's part of the vectors of the line whose first element is
 * x[shift]. Tiles of kTile vectors begin at `from` and every `stride` vectors
 * after it, up to `to`; a thread has every kThreads-th vector of a tile, so
 * that a warp's loads are contiguous, or consecutive ones if the operator does
 * not commute. Neighbouring lines may share vector 0 and vector `last`: block 0
 * adds both at its start, or each thread its own in order. */
template <class Op, class T>
__device__ __forceinline__ typename Op::acc
piece_sum(const T *x, int64_t from, int64_t to, int64_t stride, int shift,
          int64_t last, int64_t axis)
{
    constexpr int V = kVec<T>;
    typename Op::acc sum = Op::identity();
    const int lane = (int)threadIdx.x;
    const int each = (int)((to - from + kThreads - 1) / kThreads);
    for (int64_t first = from; first < to; first += stride) {
        /* Vectors count from the tile's first. */
        const T *const tile = x + first * V;
        const int own = Op::commutative ? lane
                                        : lane * each - (int)(first - from) +
                                              (int)((first - from) / kThreads);
        const int count =
            Op::commutative
                ? (int)min(to - first, (int64_t)kTile)
                : (int)(min(to, from + (lane + 1) * (int64_t)each) - first);
        const int low = (int)max(-first, -(int64_t)INT32_MAX); /* vector 0 */
        const int high = (int)min(last - first, (int64_t)count);
        const auto vector_of = [&](int j) {
            return own + (Op::commutative ? j * kThreads : j);
        };
        const auto place_of = [&](int j) {
            return (first + vector_of(j)) * V - shift;
        };
        uint4 y[kLoads];
#pragma unroll
        for (int j = 0; j < kLoads; ++j) {
            const int v = vector_of(j);
            y[j] = pad_words<Op, uint4>();
            if (v > low && v < high)
                y[j] = ((const uint4 *)tile)[v];
        }
        if (Op::commutative && first == 0 && lane < 2 && lane <= last)
            sum = reduce_between<Op>(x, lane * last * V, (int64_t)shift,
                                     shift + axis);
        if constexpr (kAbsorbs<Op>) {
            sum = add_loads<Op>(sum, y, vector_of, count, place_of);
        } else {
#pragma unroll
            for (int j = 0; j < kLoads; ++j) {
                const int64_t v = first + vector_of(j);
                if (!Op::commutative && vector_of(j) < count &&
                    (v == 0 || v == last))
                    sum = Op::combine(sum, reduce_between<Op>(x, v * V,
                                                              (int64_t)shift,
                                                              shift + axis));
                sum = add_vector<Op>(sum, y[j], place_of(j));
            }
        }
    }
    return sum;
}

/* Brings each warp's sum to the first block of the cluster, whose warp 0 may
 * read them afterwards. One block needs no st.async, which memcheck refuses
 * there, and no clusters. */
template <class Acc>
__device__ __forceinline__ void gather(Acc sum, Acc *sums, uint64_t *arrived,
                                       unsigned parity, int blocks)
{
    const int warp = (int)threadIdx.x / 32, lane = (int)threadIdx.x % 32;
    if (blocks == 1) {
        if (lane == 0)
            sums[warp] = sum;
        __syncthreads();
        return;
    }
#if HAS_BULK_COPY
    const int rank = (int)cluster_rank();
    if (lane == 0)
        send_sum(0, &sums[rank * kWarps + warp], sum, arrived);
    if (rank == 0 && warp == 0)
        bulk_wait(arrived, parity);
#endif
}

/* All threads call it before the sums of the next line are written. */
__device__ __forceinline__ void gather_again(uint64_t *arrived, int blocks,
                                             unsigned bytes, bool gathers)
{
    if (blocks == 1) {
        __syncthreads();
        return;
    }
#if HAS_BULK_COPY
    if (gathers && threadIdx.x == 0)
        bulk_expect(arrived, bytes);
    cluster_sync();
#endif
}

/* Combines `count` sums, by the calling warp. */
template <class Op>
__device__ __forceinline__ typename Op::acc
warp_total(const typename Op::acc *sums, int count)
{
    typename Op::acc total = Op::identity();
    const auto mine = share_of<Op>(count, (int)threadIdx.x % 32, 32);
    for (int k = mine.begin; k < mine.end; k += mine.step)
        total = Op::combine(total, sums[k]);
    return warp_reduce<Op>(total);
}

/* How blocks share a line. Those of a cluster take `each` vectors in a row; the
 * others take tiles of `each` vectors in turn, and leave their results in
 * memory. `stride` is the vectors from a block's tile to its next. */
struct line_share {
    int blocks, each, stride;
    bool in_memory;
};

/* The block's part of the sum of a line that starts at element `first`: in warp
 * 0 of the blocks that have rank 0 in their cluster. The first line starts at
 * element `lead` of an aligned vector. */
template <class Op, class T>
__device__ __forceinline__ typename Op::acc
share_sum(const T *in, int64_t first, int64_t axis, int lead,
          const line_share &s, int rank)
{
    constexpr int V = kVec<T>;
    const int shift = (int)((first + lead) % V);
    const int64_t last = (shift + axis - 1) / V;
    const int64_t from = rank * (int64_t)s.each;
    const int64_t to = s.in_memory ? last + 1 : min(from + s.each, last + 1);
    return warp_reduce<Op>(piece_sum<Op>(in + first - shift, from, to, s.stride,
                                         shift, last, axis));
}

template <class Op, class T = typename Op::element>
static __global__ void __launch_bounds__(kThreads, kResident<kThreads, 2>)
    cluster_per_line(const T *__restrict__ in, output_of<Op> *__restrict__ out,
                     typename Op::acc *__restrict__ partials, int64_t lines,
                     int64_t axis, int lead, const struct line_share s)
{
    TAG(fast);
    using Acc = typename Op::acc;
    __shared__ Acc sums[kMostBlocks * kWarps];
    __shared__ uint64_t arrived;
    const int warp = (int)threadIdx.x / 32, lane = (int)threadIdx.x % 32;
    const int cluster = s.in_memory ? 1 : s.blocks;
    const unsigned line0 = blockIdx.x / (unsigned)s.blocks;
    const int rank = (int)(blockIdx.x - line0 * (unsigned)s.blocks);
    const bool gathers = s.in_memory || rank == 0;
    const int64_t apart = gridDim.x / (unsigned)s.blocks;
    [[maybe_unused]] const unsigned bytes =
        (unsigned)(cluster * kWarps * (int)sizeof(Acc));
    unsigned parity = 0;
    if (s.in_memory)
        early_allow();
#if HAS_BULK_COPY
    if (cluster > 1 && rank == 0 && threadIdx.x == 0) {
        bulk_init(&arrived, 1);
        bulk_expect(&arrived, bytes);
        cluster_barriers_ready();
    }
    if (cluster > 1)
        cluster_arrive();
#endif

    for (int64_t line = line0; line < lines; line += apart) {
        /* load, upsweep */
        const Acc sum = share_sum<Op>(in, line * axis, axis, lead, s, rank);

        /* spine */
#if HAS_BULK_COPY
        if (cluster > 1 && line == line0)
            cluster_wait(); /* `arrived` is initialised */
#endif
        gather(sum, sums, &arrived, parity, cluster);
        if (gathers && warp == 0) {
            const Acc total = warp_total<Op>(sums, cluster * kWarps);

            /* store */
            if (lane == 0 && s.in_memory)
                partials[line * s.blocks + rank] = total;
            else if (lane == 0)
                out[line] = Op::lower(total, axis);
        }
        parity ^= 1;
        if (line + apart < lines)
            gather_again(&arrived, cluster, bytes, gathers);
    }
}

/* ------------------------------------------------------------------ host */

/* Blocks of a cluster: pieces of 8 KiB or more, and at most two blocks per
 * multiprocessor. */
static int blocks_of(const struct problem *p)
{
    const int most = cluster_most(p);
    const int64_t line = p->shape.axis * (int64_t)dtype_bytes(p->dtype);
    const int64_t held = 2 * (int64_t)p->device->sm_count;
    int blocks = 1;
    while (blocks < most && blocks * 16384 <= line &&
           2 * blocks * p->shape.outer <= held)
        blocks *= 2;
    return blocks;
}

/* Blocks that share a line through memory: two per multiprocessor in all, or
 * one per line, but no more than there are tiles. */
static int64_t sharers_of(const struct problem *p)
{
    const int64_t line = p->shape.axis * (int64_t)dtype_bytes(p->dtype);
    const int64_t held = 2 * (int64_t)p->device->sm_count;
    const int64_t tiles = line / kTileBytes;
    int64_t sharers = p->shape.outer ? held / p->shape.outer : 1;
    sharers = sharers < tiles ? sharers : tiles;
    return sharers > 1 ? sharers : 1;
}

static int launch(const struct problem *p, void *stream)
{
    return dispatch_reduce(p, [&]<class Op>(Op) -> int {
        using T = typename Op::element;
        const int blocks = blocks_of(p);
        /* one more than `axis` fills, as lines may start off a boundary */
        const int64_t vectors = ceil_div(p->shape.axis + kVec<T> - 1, kVec<T>);
        const struct line_share s = { blocks, (int)ceil_div(vectors, blocks),
                                      kTile, false };
        return cluster_launch(cluster_per_line<Op>, p->shape.outer,
                              (unsigned)blocks, kThreads, 0, stream,
                              (const T *)p->in, (output_of<Op> *)p->out, NULL,
                              p->shape.outer, p->shape.axis,
                              (int)((uintptr_t)p->in % 16 / sizeof(T)), s);
    });
}

static int launch_in_memory(const struct problem *p, void *stream)
{
    return dispatch_reduce<NEEDS_COMMUTATIVE>(p, [&]<class Op>(Op) -> int {
        using T = typename Op::element;
        const int blocks = (int)sharers_of(p);
        const struct line_share s = { blocks, kTile, blocks * kTile, true };
        const int error = launch_kernel(
            cluster_per_line<Op>, p->shape.outer * blocks, kThreads, 0, stream,
            p->in, p->out, p->workspace, p->shape.outer, p->shape.axis,
            (int)((uintptr_t)p->in % 16 / sizeof(T)), s);
        return error ? error : launch_add_partials<Op>(p, blocks, stream);
    });
}

static size_t workspace_bytes(const struct problem *p)
{
    return p->shape.outer * sharers_of(p) * acc_bytes(p);
}

static const char *memory_refuses(const struct problem *p)
{
    if (p->shape.inner != 1)
        return contiguous_only(p);
    if (p->shape.axis * (int64_t)dtype_bytes(p->dtype) < 2 * kTileBytes)
        return "serves lines of 128 KiB and more";
    return index_refuses(p);
}

static const char *refuses(const struct problem *p)
{
    const char *lacking = bulk_lacking(p);
    return lacking ? lacking
                   : line_bytes_refuse(p, kLeastBytes, kMostBytes,
                                       "serves lines of 4 KiB to 16 MiB");
}

VARIANTS(reduce__cluster_per_line) = {
    {
        .name = "cluster_per_line_b512_i32",
        .idea = "one cluster per line, whose first block combines the results",
        ON_CUDA(reductions(), 1),
        ERROR_OF_TILES(1024),
        .deterministic = true,
        .refuses = refuses,
        .launch = launch,
        .portable_bits = true,
    },
    {
        .name = "blocks_per_line_b512_i32",
        .idea = "blocks share each line, and a second kernel adds their sums",
        ON_CUDA(reductions<NEEDS_COMMUTATIVE>(), 1),
        ERROR_OF_TILES(1024),
        .deterministic = true,
        .refuses = memory_refuses,
        .workspace_bytes = workspace_bytes,
        .launch = launch_in_memory,
        .portable_bits = true,
    },
    {},
};
