/* SPDX-License-Identifier: MIT
 *
 * Idea     A cluster of blocks takes a line, one piece per block, with eight
 *          loads in flight per thread. Every warp sends its result into the
 *          first block's shared memory, where one warp combines them, always in
 *          the same order. Or, without clusters, blocks share each line
 *          (blocks_per_line): their results go through memory, and a second
 *          kernel combines them.
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
#include "variants/common/access/divisor.cuh"
#include "variants/common/collective/cluster_exchange.cuh"
#include "variants/reduce/line_owner/line_edges.cuh"
#include "variants/reduce/split_axis/add_partials.cuh"

[[maybe_unused]] constexpr int kThreads = 512, kWarps = kThreads / 32,
                               kLoads = 8;
constexpr int kTile = kThreads * kLoads; /* vectors */
constexpr int64_t kTileBytes = kTile * 16;
[[maybe_unused]] constexpr int kMostBlocks = 16;             /* per cluster */
constexpr int64_t kLeastBytes = 4096, kMostBytes = 16 << 20; /* per line */
constexpr int64_t kMostInTurn = 31 << 26; /* vectors; a stride more is an int */

/* Combines sum with loaded vectors, half of them at once, by an operator with
 * absorb(): vector j begins at place_of(j) of the line, and is pad from vector
 * `end` on. */
template <class Op, class Vector, class Place>
__device__ __forceinline__ typename Op::acc
add_loads(typename Op::acc sum, const uint4 (&y)[kLoads], Vector vector_of,
          int end, Place place_of)
{
    constexpr int V = kVec<typename Op::element>, kHalf = kLoads / 2;
#pragma unroll
    for (int first = 0; first < kLoads; first += kHalf)
        if (vector_of(first) < end)
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

/* A block's vectors of a line, counted from its first, the line's vector
 * `from`: [begin, whole) have elements of this line alone. Threads share
 * [0, count): vectors past `whole` only if the operator does not commute. */
struct piece {
    int64_t from;
    int begin, whole, count;
};

/* This thread's part of a piece of the line of `axis` elements from x[shift]
 * on, in tiles of kTile vectors that are `stride` vectors apart. A thread has
 * every kThreads-th vector of a tile, so that a warp's loads are contiguous; or
 * consecutive ones if the operator does not commute. */
template <class Op, class T>
__device__ __forceinline__ typename Op::acc
piece_sum(const T *x, const piece &p, int stride, int shift, int64_t axis)
{
    constexpr int V = kVec<T>;
    typename Op::acc sum = Op::identity();
    const uint4 *const vectors = (const uint4 *)x + p.from;
    const int lane = (int)threadIdx.x;
    const int each = (p.count + kThreads - 1) / kThreads;
    const int end = Op::commutative ? p.count : min(p.count, (lane + 1) * each);
    const int whole = Op::commutative ? p.whole : min(p.whole, end);
    for (int first = 0; first < p.count; first += stride) {
        const auto vector_of = [&](int j) {
            return Op::commutative ? first + lane + j * kThreads
                                   : lane * each + first / kThreads + j;
        };
        const auto place_of = [&](int j) {
            return (p.from + vector_of(j)) * V - shift;
        };
        uint4 y[kLoads];
#pragma unroll
        for (int j = 0; j < kLoads; ++j) {
            const int v = vector_of(j);
            y[j] = pad_words<Op, uint4>();
            if (v < whole && ((Op::commutative && j > 0) || v >= p.begin))
                y[j] = vectors[v];
        }
        /* Else absorb() would leave out the elements of shared vectors. */
        static_assert(Op::commutative || !kAbsorbs<Op>);
        if (Op::commutative && p.from + first == 0)
            sum = edge_element<Op>(x, shift, axis, lane);
        if constexpr (kAbsorbs<Op>) {
            sum = add_loads<Op>(sum, y, vector_of, end, place_of);
        } else {
#pragma unroll
            for (int j = 0; j < kLoads; ++j) {
                const int v = vector_of(j);
                if (!Op::commutative && v < end && (v < p.begin || v >= whole))
                    sum = Op::combine(
                        sum, edge_vector<Op>(x, p.from + v, shift, axis));
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
                                       [[maybe_unused]] int rank, int blocks)
{
    const int warp = (int)threadIdx.x / 32, lane = (int)threadIdx.x % 32;
    if (blocks == 1) {
        if (lane == 0)
            sums[warp] = sum;
        __syncthreads();
        return;
    }
#if HAS_BULK_COPY
    if (lane == 0)
        send_sum(0, &sums[rank * kWarps + warp], sum, arrived);
    if (rank == 0 && warp == 0)
        bulk_wait(arrived, 0);
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

/* How blocks.d blocks share a line: of the `span` vectors from r * each on,
 * block r takes tiles of kTile vectors that are `stride` vectors apart. */
struct line_share {
    divisor<uint32_t> blocks;
    int each, stride, span;
};

/* Blocks of a cluster write their line's result to `out`; if `partials` is not
 * NULL, every block writes its own there, in the order of the blocks. The first
 * line starts at element `lead` of an aligned vector. */
template <class Op, class T = typename Op::element>
static __global__ void __launch_bounds__(kThreads, kResident<kThreads, 2>)
    cluster_per_line(const T *__restrict__ in, output_of<Op> *__restrict__ out,
                     typename Op::acc *__restrict__ partials, int64_t axis,
                     int lead, const line_share s)
{
    TAG(fast);
    using Acc = typename Op::acc;
    constexpr int V = kVec<T>;
    __shared__ Acc sums[kMostBlocks * kWarps];
    __shared__ uint64_t arrived;
    const int warp = (int)threadIdx.x / 32, lane = (int)threadIdx.x % 32;
    const int cluster = partials ? 1 : (int)s.blocks.d;
    uint32_t in_line;
    const int64_t line = s.blocks.quotient(blockIdx.x, &in_line);
    const int rank = (int)in_line;
    if (partials)
        early_allow();
#if HAS_BULK_COPY
    if (cluster > 1 && rank == 0 && threadIdx.x == 0) {
        bulk_init(&arrived, 1);
        bulk_expect(&arrived, (unsigned)(cluster * kWarps * (int)sizeof(Acc)));
        cluster_barriers_ready();
    }
    if (cluster > 1)
        cluster_arrive();
#endif

    /* load, upsweep */
    const int64_t first = line * axis, from = (int64_t)rank * s.each;
    const int shift = (int)((unsigned)(first + lead) % V);
    const T *const x = in + first - shift;
    const uint64_t end = shift + axis;
    const int64_t whole = (int64_t)(end / V) - from;
    const int64_t all = Op::commutative ? whole : ceil_div(end, V) - from;
    const piece part = { from, rank == 0 && shift > 0,
                         (int)min(whole, (int64_t)s.span),
                         (int)min(all, (int64_t)s.span) };
    const Acc sum =
        warp_reduce<Op>(piece_sum<Op>(x, part, s.stride, shift, axis));

    /* spine */
#if HAS_BULK_COPY
    if (cluster > 1)
        cluster_wait(); /* `arrived` is initialised */
#endif
    gather(sum, sums, &arrived, rank, cluster);
    if (warp > 0 || (rank > 0 && cluster > 1))
        return;
    const Acc total = warp_total<Op>(sums, cluster * kWarps);

    /* store */
    if (lane == 0 && partials)
        partials[blockIdx.x] = total;
    else if (lane == 0)
        out[line] = Op::lower(total, axis);
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

/* Blocks of a line take its tiles in turn, or a row of them each. */
template <class T>
static line_share share_line(const struct problem *p, int blocks, bool in_turn)
{
    /* one more than `axis` fills, as lines may start off a boundary */
    const int64_t vectors = ceil_div(p->shape.axis + kVec<T> - 1, kVec<T>);
    const int each = in_turn ? kTile : (int)ceil_div(vectors, blocks);
    return { divisor_of<uint32_t>(blocks), each,
             in_turn ? blocks * kTile : kTile, in_turn ? INT32_MAX : each };
}

static int launch(const struct problem *p, void *stream)
{
    return dispatch_reduce(p, [&]<class Op>(Op) -> int {
        using T = typename Op::element;
        const int blocks = blocks_of(p);
        return cluster_launch(
            cluster_per_line<Op>, p->shape.outer, (unsigned)blocks, kThreads, 0,
            stream, (const T *)p->in, (output_of<Op> *)p->out, NULL,
            p->shape.axis, line_lead<T>(p), share_line<T>(p, blocks, false));
    });
}

static int launch_in_memory(const struct problem *p, void *stream)
{
    return dispatch_reduce<NEEDS_COMMUTATIVE>(p, [&]<class Op>(Op) -> int {
        using T = typename Op::element;
        const int blocks = (int)sharers_of(p);
        const bool fits = p->shape.axis < kMostInTurn * kVec<T>;
        const int error = launch_kernel(
            cluster_per_line<Op>, p->shape.outer * blocks, kThreads, 0, stream,
            p->in, p->out, p->workspace, p->shape.axis, line_lead<T>(p),
            share_line<T>(p, blocks, fits));
        return error ? error : launch_add_partials<Op>(p, blocks, stream);
    });
}

static size_t workspace_bytes(const struct problem *p)
{
    return p->shape.outer * sharers_of(p) * acc_bytes(p);
}

static const char *memory_refuses(const struct problem *p)
{
    const char *const refusal = line_bytes_refuse(
        p, 2 * kTileBytes, INT64_MAX, "serves lines of 128 KiB and more");
    return refusal ? refusal : index_refuses(p);
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
