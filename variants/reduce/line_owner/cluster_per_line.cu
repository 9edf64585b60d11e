/* SPDX-License-Identifier: MIT
 *
 * Idea     A cluster of blocks takes a line, one piece per block, with eight
 *          loads in flight per thread. Every warp sends its result into the
 *          first block's shared memory, where one warp combines them, always in
 *          the same order. Of lines that are too few or too long for clusters,
 *          blocks take tiles in turn (blocks_per_line): their results go
 *          through memory, and a second kernel combines them.
 * Against  row_tma_ring: threads load for themselves, so that all loads of a
 *          small problem are in flight at once;
 *          block_per_period: serves rows of any inner extent, with a cluster
 *          barrier before and after the exchange.
 * Traffic  N elements: the compulsory minimum (passes = 1).
 * Needs    inner == 1; lines of 4 KiB to 16 MiB, or 256 KiB to 2 GiB in memory;
 *          clusters (compute capability 9.0).
 * Source   none.
 * Lesson   Launches, first instructions and round trips dominate small
 *          problems; one short kernel has the fewest.
 */
#include "variants/common/collective/cluster_exchange.cuh"
#include "variants/reduce/line_owner/line_edges.cuh"
#include "variants/reduce/split_axis/partials.cuh"

[[maybe_unused]] constexpr int kThreads = 512, kWarps = kThreads / 32,
                               kLoads = 8;
constexpr int kTile = kThreads * kLoads;                     /* vectors */
[[maybe_unused]] constexpr int kMostBlocks = 16;             /* per cluster */
constexpr int64_t kLeastBytes = 4096, kMostBytes = 16 << 20; /* per line */
constexpr int64_t kLeastSharers = 4;                         /* in memory */

/* Combines sum with loaded vectors, vector_of(j) of the line, half of them at
 * once, by an operator with absorb(). */
template <class Op, class Vector>
__device__ __forceinline__ typename Op::acc
add_loads(typename Op::acc sum, const uint4 (&y)[kLoads], Vector vector_of,
          int end, int shift)
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
                    return max(vector_of(first + k / V) * V + k % V - shift, 0);
                });
    return sum;
}

/* This thread's part of the vectors of the line whose first element is
 * x[shift]: of kTile vectors from every `stride`-th of [from, to) on, each
 * kThreads-th, so that a warp's loads are contiguous; or consecutive ones if
 * the operator does not commute. Neighbouring lines may share vector 0 and
 * vector `last`: block 0 adds both at its start, or each thread its own in
 * order. */
template <class Op, class T>
__device__ __forceinline__ typename Op::acc
piece_sum(const T *x, int from, int to, int stride, int shift, int last,
          int axis)
{
    typename Op::acc sum = Op::identity();
    const int lane = (int)threadIdx.x;
    const int each = (to - from + kThreads - 1) / kThreads;
    const int end = Op::commutative ? to : min(to, from + (lane + 1) * each);
    const auto vector_of = [&](int first, int j) {
        return Op::commutative
                   ? first + lane + j * kThreads
                   : from + lane * each + (first - from) / kThreads + j;
    };
    for (int first = from; first < to; first += stride) {
        uint4 y[kLoads];
#pragma unroll
        for (int j = 0; j < kLoads; ++j) {
            const int v = vector_of(first, j);
            y[j] = pad_words<Op, uint4>();
            if (v > 0 && v < end && v < last)
                y[j] = ((const uint4 *)x)[v];
        }
        if (Op::commutative && first == 0 && lane < 2 && lane <= last)
            sum = reduce_between<Op>(x, lane * last * kVec<T>, shift,
                                     shift + axis);
        if constexpr (kAbsorbs<Op>) {
            sum = add_loads<Op>(
                sum, y, [&](int j) { return vector_of(first, j); }, end, shift);
        } else {
#pragma unroll
            for (int j = 0; j < kLoads; ++j) {
                const int v = vector_of(first, j);
                if (!Op::commutative && v < end && (v == 0 || v == last))
                    sum = Op::combine(sum,
                                      reduce_between<Op>(x, v * kVec<T>, shift,
                                                         shift + axis));
                sum = add_vector<Op>(sum, y[j], v * kVec<T> - shift);
            }
        }
    }
    return sum;
}

[[maybe_unused]] __device__ __forceinline__ void
start_gathering(uint64_t *arrived, unsigned bytes)
{
    bulk_init(arrived, 1);
    bulk_expect(arrived, bytes);
    cluster_barriers_ready();
}

/* Brings each warp's sum to the first block of the cluster, whose warp 0 may
 * read them afterwards. One block needs no st.async, which memcheck refuses
 * there. */
template <class Acc>
__device__ __forceinline__ void gather(Acc sum, Acc *sums, uint64_t *arrived,
                                       unsigned parity, int blocks)
{
    const int warp = (int)threadIdx.x / 32, lane = (int)threadIdx.x % 32;
    const int rank = (int)cluster_rank();
    if (blocks == 1) {
        if (lane == 0)
            sums[warp] = sum;
        __syncthreads();
    } else {
        if (lane == 0)
            send_sum(0, &sums[rank * kWarps + warp], sum, arrived);
        if (rank == 0 && warp == 0)
            bulk_wait(arrived, parity);
    }
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
 * others take tiles in turn, a tile being `each` vectors and `stride` the tiles
 * of all, and leave their results in memory. */
struct line_share {
    int blocks, each, stride;
    bool in_memory;
};

/* The first line starts at element `lead` of an aligned vector. */
template <class Op, class T = typename Op::element>
static __global__ void __launch_bounds__(kThreads, kResident<kThreads, 2>)
    cluster_per_line(const T *__restrict__ in, output_of<Op> *__restrict__ out,
                     typename Op::acc *__restrict__ partials, int64_t lines,
                     int axis, int lead, const struct line_share s)
{
    TAG(fast);
#if HAS_BULK_COPY
    using Acc = typename Op::acc;
    constexpr int V = kVec<T>;
    __shared__ Acc sums[kMostBlocks * kWarps];
    __shared__ uint64_t arrived;
    const int warp = (int)threadIdx.x / 32, lane = (int)threadIdx.x % 32;
    const int cluster = s.in_memory ? 1 : s.blocks;
    const unsigned line0 = blockIdx.x / (unsigned)s.blocks;
    const int rank = (int)(blockIdx.x - line0 * (unsigned)s.blocks);
    const bool gathers = s.in_memory || rank == 0;
    const unsigned bytes = (unsigned)(cluster * kWarps * (int)sizeof(Acc));
    const int64_t apart = gridDim.x / (unsigned)s.blocks;
    unsigned parity = 0;
    if (s.in_memory)
        early_allow();

    if (gathers && threadIdx.x == 0)
        start_gathering(&arrived, bytes);
    cluster_arrive();

    for (int64_t line = line0; line < lines; line += apart) {
        /* load, upsweep */
        const int64_t first = line * axis;
        const int shift = (int)((first + lead) % V);
        const int last = (shift + axis - 1) / V;
        const int from = rank * s.each;
        const int to = s.in_memory ? last + 1 : min(from + s.each, last + 1);
        const Acc sum = warp_reduce<Op>(piece_sum<Op>(
            in + first - shift, from, to, s.stride, shift, last, axis));

        /* spine */
        if (line == line0)
            cluster_wait(); /* `arrived` is initialised */
        gather(sum, sums, &arrived, parity, cluster);
        if (gathers && warp == 0) {
            const Acc total = warp_total<Op>(sums, cluster * kWarps);

            /* store */
            if (lane == 0 && s.in_memory)
                partials[line * s.blocks + rank] = total;
            else if (lane == 0)
                out[line] = Op::lower(total, axis);
            if (lane == 0 && cluster > 1 && line + apart < lines)
                bulk_expect(&arrived, bytes);
        }
        parity ^= 1;
        if (line + apart < lines)
            cluster_sync(); /* sums may be written again */
    }
#endif
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

/* Blocks that share a line through memory: two per multiprocessor in all, but
 * no more than there are 64-KiB pieces. */
static int64_t sharers_of(const struct problem *p)
{
    const int64_t line = p->shape.axis * (int64_t)dtype_bytes(p->dtype);
    const int64_t held = 2 * (int64_t)(p->device ? p->device->sm_count : 1);
    const int64_t pieces = held / (p->shape.outer ? p->shape.outer : 1);
    return pieces < line >> 16 ? pieces : line >> 16;
}

template <class Op>
static int launch_shared(const struct problem *p, const struct line_share &s,
                         void *stream)
{
    using T = typename Op::element;
    return cluster_launch(
        cluster_per_line<Op>, p->shape.outer * (s.in_memory ? s.blocks : 1),
        s.in_memory ? 1 : (unsigned)s.blocks, kThreads, 0, stream,
        (const T *)p->in, (output_of<Op> *)p->out,
        (typename Op::acc *)p->workspace, p->shape.outer, (int)p->shape.axis,
        (int)((uintptr_t)p->in % 16 / sizeof(T)), s);
}

static int launch(const struct problem *p, void *stream)
{
    return dispatch_reduce(p, [&]<class Op>(Op) -> int {
        constexpr int V = kVec<typename Op::element>;
        const int blocks = blocks_of(p);
        /* one more than `axis` fills, as lines may start off a boundary */
        const int64_t vectors = ceil_div(p->shape.axis + V - 1, V);
        return launch_shared<Op>(
            p, { blocks, (int)ceil_div(vectors, blocks), kTile, false },
            stream);
    });
}

static int launch_in_memory(const struct problem *p, void *stream)
{
    return dispatch_reduce<NEEDS_COMMUTATIVE>(p, [&]<class Op>(Op) -> int {
        const int blocks = (int)sharers_of(p);
        const int error = launch_shared<Op>(
            p, { blocks, kTile, blocks * kTile, true }, stream);
        return error ? error : launch_add_partials<Op>(p, blocks, stream);
    });
}

static size_t workspace_bytes(const struct problem *p)
{
    return p->shape.outer * sharers_of(p) * acc_bytes(p);
}

static const char *memory_refuses(const struct problem *p)
{
    const char *lacking = bulk_lacking(p);
    if (lacking)
        return lacking;
    const char *reason =
        line_bytes_refuse(p, kLeastSharers << 16, INT32_MAX - 64,
                          "serves lines of 256 KiB to 2 GiB");
    return reason || sharers_of(p) >= kLeastSharers
               ? reason
               : "serves at most a line for every two multiprocessors";
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
