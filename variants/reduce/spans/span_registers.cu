/* SPDX-License-Identifier: MIT
 *
 * Idea     Every block has the same number of 16-byte vectors of the tensor,
 *          wherever lines begin and end in them, and reads them into registers,
 *          a chunk at a time. Where a line ends in a chunk, every warp leaves
 *          its sum of it in shared memory; the block joins those at its end.
 *          Of a line that it shares it leaves a partial sum, and the block that
 *          is the last to do so adds them up, always in the same order.
 * Against  split_axis_last_block: there a block has pieces of one line, and
 *          every item of a vector a sum of its own; span_tma_ring: the same
 *          shares, by way of shared memory, and joined by a second kernel.
 * Traffic  N elements: the compulsory minimum (passes = 1).
 * Needs    inner == 1; lines long enough for few of them to be a block's.
 * Source   the last block: CUDA samples, threadFenceReduction.
 * Lesson   After the last byte, a fence, an atomic and two L2 trips are faster
 *          than a second kernel.
 */
#include "variants/common/launch/clear_early.cuh"
#include "variants/common/look_back/delays.cuh"
#include "variants/reduce/split_axis/partials.cuh"

constexpr int kThreads = 320, kBlocks = 2; /* of a multiprocessor */
constexpr int kWarps = kThreads / 32;
constexpr int kLoads = 8;         /* in flight, a thread */
constexpr int kMostLines = 512;   /* of a block */
constexpr int kLeastBytes = 8192; /* of a line, and of a block */

/* How vectors are shared out. */
struct spans {
    int64_t lines, axis;
    int64_t vectors; /* whole ones, from an aligned address on */
    int64_t blocks;
    int lead; /* elements of the first vector that are not the tensor's */

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

/* A block's walk over its span, a chunk of kLoads vectors a thread at a time.
 * Places are in elements from an aligned address on. */
template <class T>
struct span_walk {
    static constexpr int V = kVec<T>;
    const spans &s;
    const T *x;
    acc_t<T> *slots;
    int left;     /* lines that were left, */
    int64_t ends; /* and where the next one does */
    acc_t<T> sum;

    /* Leaves the warp's sum of a line for the block's end. */
    __device__ __forceinline__ void leave(void)
    {
        const acc_t<T> total = warp_reduce<sum_op<acc_t<T>>>(sum);
        if (threadIdx.x % 32 == 0)
            slots[left * kWarps + threadIdx.x / 32] = total;
        sum = 0;
        ++left;
        ends += s.axis;
    }

    /* The parts of the vector that a line ends in, at element `end` of the
     * chunk. */
    __device__ __forceinline__ void split(const uint4 (&words)[kLoads], int end,
                                          acc_t<T> *after)
    {
        *after = 0;
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
        acc_t<T> v[V];
        to_items<T>(mixed, v);
#pragma unroll
        for (int k = 0; k < V; ++k) {
            sum += k < end % V ? v[k] : acc_t<T>(0);
            *after += k < end % V ? acc_t<T>(0) : v[k];
        }
    }

    /* Adds a chunk of so many elements, line by line. */
    __device__ __forceinline__ void add_lines(const uint4 (&words)[kLoads],
                                              const acc_t<T> (&whole)[kLoads],
                                              int64_t at, int count)
    {
        for (int low = 0;;) {
            const int64_t far = ends - at;
            const int high = far < count ? (int)far : count;
#pragma unroll
            for (int j = 0; j < kLoads; ++j) {
                const int e = ((int)threadIdx.x + j * kThreads) * V;
                sum += e >= low && e + V <= high ? whole[j] : acc_t<T>(0);
            }
            if (far > count)
                return;
            acc_t<T> after;
            split(words, high, &after);
            leave();
            sum = after;
            low = (high + V - 1) / V * V;
        }
    }

    /* Vectors [from, to); the tensor's first may have others' elements. */
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
                words[j] = {};
                if (v >= first && v < count)
                    words[j] = ((const uint4 *)(x + at))[v];
            }
            if (first > (int)threadIdx.x)
                for (int k = s.lead; k < V; ++k)
                    sum += to_acc(x[k]);
            acc_t<T> whole[kLoads];
#pragma unroll
            for (int j = 0; j < kLoads; ++j) {
                acc_t<T> v[V];
                to_items<T>(words[j], v);
                whole[j] = pairwise_sum(v);
            }
            if (ends - at > count * V)
                sum += pairwise_sum(whole);
            else
                add_lines(words, whole, at, count * V);
        }
    }
    /* What is no whole vector at the tensor's end, by one thread. */
    __device__ __forceinline__ void add_rest(int64_t from, int64_t to)
    {
        for (; from < to && threadIdx.x == 0; ++from)
            sum += to_acc(x[from]);
    }
};

/* The blocks that share a line. */
template <class T>
__device__ __forceinline__ void sharers(const spans &s, int64_t line,
                                        int64_t *from, int64_t *to)
{
    *from = s.block_of((line * s.axis + s.lead) / kVec<T>);
    *to = s.block_of(
        min(((line + 1) * s.axis - 1 + s.lead) / kVec<T>, s.vectors - 1));
}

/* The partial sums of a line that several blocks have lie one after the other:
 * block b's of the line that it begins with at 2b, of the one it ends with at
 * 2b + 1. A warp adds them up. */
template <class T>
__device__ __forceinline__ void add_sharers(int64_t line, int64_t from,
                                            int64_t to,
                                            const acc_t<T> *partials, T *out)
{
    const int lane = (int)threadIdx.x % 32;
    acc_t<T> sum = 0;
#pragma unroll 4
    for (int64_t b = from + lane; b <= to; b += 32)
        sum += __ldcg(partials + 2 * b + (b == from));
    sum = warp_reduce<sum_op<acc_t<T>>>(sum);
    if (lane == 0)
        out[line] = from_acc<T>(sum);
}

/* By one warp: leaves a block's sum of such a line, and, if it is the last,
 * adds them up. */
template <class T>
__device__ __forceinline__ void
join_line(const spans &s, int64_t block, int64_t line, acc_t<T> mine,
          acc_t<T> *partials, unsigned *counters, T *out)
{
    int64_t from, to;
    sharers<T>(s, line, &from, &to);
    unsigned before = 0;
    if (threadIdx.x % 32 == 0) {
        partials[2 * block + (block == from)] = mine;
        delay();
        __threadfence();
        before = atomicAdd(counters + from, 1u);
        __threadfence();
    }
    before = __shfl_sync(kWholeWarp, before, 0);
    __syncwarp(); /* what lane 0 has seen, all do */
    delay();
    if (before == (unsigned)(to - from))
        add_sharers<T>(line, from, to, partials, out);
}

template <class T>
static __global__ void __launch_bounds__(kThreads, kResident<kThreads, kBlocks>)
    span_registers(const T *__restrict__ in, T *out, unsigned *counters,
                   acc_t<T> *partials, const struct spans s)
{
    extern __shared__ __align__(16) char memory[];
    acc_t<T> *slots = (acc_t<T> *)memory;
    const int warp = (int)threadIdx.x / 32, lane = (int)threadIdx.x % 32;
    for (int64_t b = blockIdx.x; b < s.blocks; b += gridDim.x) {
        const int64_t from = s.first_vector(b), to = s.first_vector(b + 1);
        const int64_t begin = max(from * kVec<T> - s.lead, (int64_t)0);
        const int64_t end =
            to == s.vectors ? s.lines * s.axis : to * kVec<T> - s.lead;
        const int64_t first = begin / s.axis, last = (end - 1) / s.axis;

        /* load, upsweep */
        span_walk<T> walk = {
            s, in - s.lead, slots, 0, (first + 1) * s.axis + s.lead, 0
        };
        walk.walk(from, to);
        if (to == s.vectors)
            walk.add_rest(to * kVec<T>, end + s.lead);
        if (first + walk.left <= last)
            walk.leave();
        __syncthreads();

        /* store: a warp a line, and a lane a warp's sum */
        early_wait(); /* the counters are cleared */
        for (int64_t line = first + warp; line <= last; line += kWarps) {
            acc_t<T> sum = 0;
            if (lane < kWarps)
                sum = slots[(line - first) * kWarps + lane];
            sum = warp_reduce<sum_op<acc_t<T>>>(sum);
            if (line * s.axis < begin || (line + 1) * s.axis > end)
                join_line<T>(s, b, line, sum, partials, counters, out);
            else if (lane == 0)
                out[line] = from_acc<T>(sum);
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

/* The counters come first, then two partial sums a block. */
static int64_t counter_bytes(int64_t blocks)
{
    return ceil_div(blocks * (int64_t)sizeof(unsigned), 256) * 256;
}

static int launch(const struct problem *p, void *stream)
{
    return dispatch_dtype(p->dtype, [&](auto type) -> int {
        using T = typename decltype(type)::type;
        auto cuda_stream = (cudaStream_t)stream;
        if (p->shape.axis == 0)
            return cudaMemsetAsync(p->out, 0, shape_lines(p->shape) * sizeof(T),
                                   cuda_stream);
        const struct spans s = spans_of<T>(p);
        const int64_t reset = counter_bytes(s.blocks);
        const int64_t lines =
            ceil_div(s.vectors, s.blocks) * kVec<T> / s.axis + 2;
        const int slots = (int)(lines * kWarps * sizeof(acc_t<T>));
        auto *counters = (unsigned *)p->workspace;
        auto *partials = (acc_t<T> *)((char *)p->workspace + reset);
        return launch_cleared(p, counters, (size_t)reset, span_registers<T>,
                              (unsigned)s.blocks, kThreads, slots, cuda_stream,
                              p->in, p->out, counters, partials, s);
    });
}

static const char *refuses(const struct problem *p)
{
    if (p->shape.inner != 1)
        return "serves contiguous lines only (inner = 1)";
    const int64_t line = p->shape.axis * (int64_t)dtype_bytes(p->dtype);
    const int64_t most = (int64_t)kMostLines / 2 * kBlocks;
    if (p->shape.axis > 0 &&
        (line < kLeastBytes ||
         p->shape.outer > most * (p->device ? p->device->sm_count : 1)))
        return "serves few lines of 8 KiB and more";
    return NULL;
}

static size_t workspace_bytes(const struct problem *p)
{
    const int64_t blocks = (int64_t)p->device->sm_count * kBlocks;
    return (size_t)(counter_bytes(blocks) + 2 * blocks * 8);
}

VARIANTS(reduce__span_registers) = {
    {
        .name = "span_registers_b320_i32",
        .idea = "equal shares of memory, joined by the last block",
        .runs_on = DEVICE_CUDA,
        .ops = OP_BIT(OP_SUM),
        .dtypes = DTYPES_ALL,
        .passes = 1,
        .error_growth = ERROR_TILED,
        .error_tile = 1024,
        .deterministic = true,
        .refuses = refuses,
        .workspace_bytes = workspace_bytes,
        .launch = launch,
    },
    {},
};
