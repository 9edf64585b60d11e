/* SPDX-License-Identifier: MIT
 *
 * Idea     Every block has the same number of 16-byte vectors of the tensor,
 *          wherever lines begin and end in them, and reads them into registers,
 *          a chunk at a time. Where a line ends in a chunk, every warp leaves
 *          its partial result in shared memory; the block combines these at its
 *          end. Blocks that share a line leave partial results in memory, and
 *          the last of them to finish combines these, always in the same order.
 * Against  split_axis_atomics: there a block has pieces of one line, and every
 *          item of a vector its own sum; span_tma_ring: the same shares,
 *          by way of shared memory, and combined by a second kernel.
 * Traffic  N elements: the compulsory minimum (passes = 1).
 * Needs    inner == 1; lines long enough that a block has only few.
 * Source   the last block: CUDA samples, threadFenceReduction.
 * Lesson   A fence, an atomic and two L2 trips are faster than a second kernel.
 */
#include "variants/common/collective/last_block.cuh"
#include "variants/common/launch/clear_early.cuh"
#include "variants/common/launch/empty_lines.cuh"
#include "variants/reduce/split_axis/partials.cuh"

/* The lanes of a warp have interleaved vectors, which they combine before they
 * look for line ends. */
constexpr unsigned kNeeds = NEEDS_COMMUTATIVE | NEEDS_NO_POSITION |
                            no_sums_of(DTYPE_F32) | no_sums_of(DTYPE_F64);

constexpr int kThreads = 320, kBlocks = 2; /* blocks per multiprocessor */
constexpr int kWarps = kThreads / 32;
constexpr int kLoads = 8;         /* in flight per thread */
constexpr int kMostLines = 512;   /* per block */
constexpr int kLeastBytes = 8192; /* of a line, and of a block's share */

/* The vectors and their assignment to blocks. */
struct spans {
    int64_t lines, axis;
    int64_t
        vectors; /* whole ones, from the 16-byte boundary before the tensor */
    int64_t blocks;
    int lead; /* elements of the first vector that precede the tensor */

    __host__ __device__ int64_t first_vector(int64_t b) const
    {
        return vectors * b / blocks;
    }
    /* The block that has a vector. */
    __device__ __forceinline__ int64_t block_of(int64_t vector) const
    {
        return ((vector + 1) * blocks - 1) / vectors;
    }
};

/* A block's walk over its span, in chunks of kLoads vectors per thread. Places
 * are in elements from the 16-byte boundary before the tensor. */
template <class Op>
struct span_walk {
    using T = typename Op::element;
    using Acc = typename Op::acc;
    static constexpr int V = kVec<T>;
    const spans &s;
    const T *x;
    Acc *slots;
    int left;     /* lines that have ended */
    int64_t ends; /* end of the current line */
    Acc sum;

    /* Stores the warp's partial result of a line, for the block's end. */
    __device__ __forceinline__ void leave(void)
    {
        const Acc total = warp_reduce<Op>(sum);
        if (threadIdx.x % 32 == 0)
            slots[left * kWarps + threadIdx.x / 32] = total;
        sum = Op::identity();
        ++left;
        ends += s.axis;
    }

    /* Splits the vector in which a line ends, at element `end` of the chunk:
     * `sum` gets the elements before, *after those from `end` on. */
    __device__ __forceinline__ void split(const uint4 (&words)[kLoads], int end,
                                          Acc *after)
    {
        *after = Op::identity();
        if (end % V == 0 || end / V % kThreads != (int)threadIdx.x)
            return;
        uint4 mixed = {};
#pragma unroll
        for (int j = 0; j < kLoads; ++j) {
            const uint32_t mask = j == end / V / kThreads ? ~0u : 0;
            mixed.x |= words[j].x & mask;
            mixed.y |= words[j].y & mask;
            mixed.z |= words[j].z & mask;
            mixed.w |= words[j].w & mask;
        }
        Acc v[V];
        to_items<Op>(mixed, v);
#pragma unroll
        for (int k = 0; k < V; ++k) {
            sum = Op::combine(sum, k < end % V ? v[k] : Op::identity());
            *after = Op::combine(*after, k < end % V ? Op::identity() : v[k]);
        }
    }

    /* Adds a chunk of `count` elements in which lines end; whole[j] is the
     * reduction of vector j. */
    __device__ __forceinline__ void add_lines(const uint4 (&words)[kLoads],
                                              const Acc (&whole)[kLoads],
                                              int64_t at, int count)
    {
        for (int low = 0;;) {
            const int64_t far = ends - at;
            const int high = far < count ? (int)far : count;
#pragma unroll
            for (int j = 0; j < kLoads; ++j) {
                const int e = ((int)threadIdx.x + j * kThreads) * V;
                sum = Op::combine(
                    sum, e >= low && e + V <= high ? whole[j] : Op::identity());
            }
            if (far > count)
                return;
            Acc after;
            split(words, high, &after);
            leave();
            sum = after;
            low = (high + V - 1) / V * V;
        }
    }

    /* Adds vectors [from, to). Of the first vector, elements before the tensor
     * are not read. */
    __device__ __forceinline__ void walk(int64_t from, int64_t to)
    {
        for (; from < to; from += kThreads * kLoads) {
            const int64_t at = from * V;
            const int count = (int)min(to - from, (int64_t)kThreads * kLoads);
            const int first = at < s.lead ? 1 : 0;
            uint4 words[kLoads];
#pragma unroll
            for (int j = 0; j < kLoads; ++j) {
                const int v = (int)threadIdx.x + j * kThreads;
                words[j] = pad_words<Op, uint4>();
                if (v >= first && v < count)
                    words[j] = ((const uint4 *)(x + at))[v];
            }
            if (first > (int)threadIdx.x)
                for (int k = s.lead; k < V; ++k)
                    sum = Op::combine(sum, Op::lift(x[k]));
            Acc whole[kLoads];
#pragma unroll
            for (int j = 0; j < kLoads; ++j)
                whole[j] = vec_reduce_at<Op>(words[j], 0); /* no position */
            if (ends - at > count * V)
                sum = Op::combine(sum, pairwise_sum<Op>(whole));
            else
                add_lines(words, whole, at, count * V);
        }
    }
    /* Adds the elements after the tensor's last whole vector, in thread 0. */
    __device__ __forceinline__ void add_rest(int64_t from, int64_t to)
    {
        for (; from < to && threadIdx.x == 0; ++from)
            sum = Op::combine(sum, Op::lift(x[from]));
    }
};

/* The first and the last block that have vectors of a line. */
template <class T>
__device__ __forceinline__ void sharers(const spans &s, int64_t line,
                                        int64_t *from, int64_t *to)
{
    *from = s.block_of((line * s.axis + s.lead) / kVec<T>);
    *to = s.block_of(
        min(((line + 1) * s.axis - 1 + s.lead) / kVec<T>, s.vectors - 1));
}

/* Combines the partial results of a line that blocks `from` to `to` share, in
 * one warp. Block b has two: at 2b for the line that it begins in, at 2b + 1
 * for the one that it ends in. */
template <class Op, class T>
__device__ __forceinline__ void
add_sharers(const spans &s, int64_t line, int64_t from, int64_t to,
            const typename Op::acc *partials, T *out)
{
    const int lane = (int)threadIdx.x % 32;
    typename Op::acc sum = Op::identity();
#pragma unroll 4
    for (int64_t b = from + lane; b <= to; b += 32)
        sum = Op::combine(sum, read_partial(partials + 2 * b + (b == from)));
    sum = warp_reduce<Op>(sum);
    if (lane == 0)
        out[line] = Op::lower(sum, s.axis);
}

/* Leaves a block's partial result of a shared line, and combines all if the
 * block is the last to do so. Called by one warp. */
template <class Op, class T>
__device__ __forceinline__ void
join_line(const spans &s, int64_t block, int64_t line, typename Op::acc mine,
          typename Op::acc *partials, unsigned *counters, T *out)
{
    int64_t from, to;
    sharers<T>(s, line, &from, &to);
    if (threadIdx.x % 32 == 0)
        partials[2 * block + (block == from)] = mine;
    if (last_warp(counters + from, to - from + 1))
        add_sharers<Op>(s, line, from, to, partials, out);
}

template <class Op, class T = typename Op::element>
static __global__ void __launch_bounds__(kThreads, kResident<kThreads, kBlocks>)
    span_registers(const T *__restrict__ in, T *out, unsigned *counters,
                   typename Op::acc *partials, const struct spans s)
{
    using Acc = typename Op::acc;
    extern __shared__ __align__(16) char memory[];
    Acc *slots = (Acc *)memory;
    const int warp = (int)threadIdx.x / 32, lane = (int)threadIdx.x % 32;
    for (int64_t b = blockIdx.x; b < s.blocks; b += gridDim.x) {
        const int64_t from = s.first_vector(b), to = s.first_vector(b + 1);
        const int64_t begin = max(from * kVec<T> - s.lead, (int64_t)0);
        const int64_t end =
            to == s.vectors ? s.lines * s.axis : to * kVec<T> - s.lead;
        const int64_t first = begin / s.axis, last = (end - 1) / s.axis;

        /* load, upsweep */
        span_walk<Op> walk = { s,
                               in - s.lead,
                               slots,
                               0,
                               (first + 1) * s.axis + s.lead,
                               Op::identity() };
        walk.walk(from, to);
        if (to == s.vectors)
            walk.add_rest(to * kVec<T>, end + s.lead);
        if (first + walk.left <= last)
            walk.leave();
        __syncthreads();

        /* store: one warp per line, one lane per partial result of a warp */
        early_wait(); /* the counters are cleared */
        for (int64_t line = first + warp; line <= last; line += kWarps) {
            Acc sum = Op::identity();
            if (lane < kWarps)
                sum = slots[(line - first) * kWarps + lane];
            sum = warp_reduce<Op>(sum);
            if (line * s.axis < begin || (line + 1) * s.axis > end)
                join_line<Op>(s, b, line, sum, partials, counters, out);
            else if (lane == 0)
                out[line] = Op::lower(sum, s.axis);
        }
        __syncthreads(); /* the slots may be written again */
    }
}

/* ------------------------------------------------------------------ host */

template <class T>
static struct spans spans_of(const struct problem *p)
{
    struct spans s = { .lines = shape_lines(p->shape), .axis = p->shape.axis };
    s.lead = (int)((uintptr_t)p->in % 16 / sizeof(T));
    s.vectors = (s.lines * s.axis + s.lead) / kVec<T>;
    const int64_t most = (int64_t)p->device->sm_count * kBlocks;
    const int64_t full = s.vectors / (kLeastBytes / 16);
    s.blocks = most < full ? most : full > 1 ? full : 1;
    return s;
}

static int launch(const struct problem *p, void *stream)
{
    return dispatch_reduce<kNeeds>(p, [&]<class Op>(Op) -> int {
        using T = typename Op::element;
        using Acc = typename Op::acc;
        if (p->shape.axis == 0)
            return launch_empty_lines<Op>(p, stream);
        const struct spans s = spans_of<T>(p);
        const int64_t reset = counter_bytes(s.blocks);
        const int64_t lines =
            ceil_div(s.vectors, s.blocks) * kVec<T> / s.axis + 2;
        const int slots = (int)(lines * kWarps * sizeof(Acc));
        return launch_cleared(p, p->workspace, (size_t)reset,
                              span_registers<Op>, s.blocks, kThreads, slots,
                              stream, p->in, p->out, p->workspace,
                              (char *)p->workspace + reset, s);
    });
}

static const char *refuses(const struct problem *p)
{
    if (p->shape.inner != 1)
        return contiguous_only(p);
    const int64_t line = p->shape.axis * (int64_t)dtype_bytes(p->dtype);
    const int64_t most = (int64_t)kMostLines / 2 * kBlocks;
    if (p->shape.axis > 0 &&
        (line < kLeastBytes ||
         p->shape.outer > most * (p->device ? p->device->sm_count : 1)))
        return "serves few lines of 8 KiB and more";
    return NULL;
}

/* The counters of the blocks, then two partial results per block. */
static size_t workspace_bytes(const struct problem *p)
{
    const int64_t blocks = (int64_t)p->device->sm_count * kBlocks;
    return (size_t)(counter_bytes(blocks) + 2 * blocks * acc_bytes(p));
}

VARIANTS(reduce__span_registers) = {
    {
        .name = "span_registers_b320_i32",
        .idea = "equal shares of memory, combined by the last block",
        ON_CUDA(reductions<kNeeds>(), 1),
        ERROR_OF_TILES(1024),
        .deterministic = true,
        .refuses = refuses,
        .workspace_bytes = workspace_bytes,
        .launch = launch,
        .portable_bits = true,
    },
    {},
};
