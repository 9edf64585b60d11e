/* SPDX-License-Identifier: MIT
 *
 * Idea     The whole problem lies in the shared memory of all multiprocessors
 *          at once: a block to each, a piece of a line to a block. Every block
 *          loads and sums its piece; one barrier over the grid; then it adds
 *          the sums before it, scans its piece and stores it.
 * Against  cluster_line: the GPU is the cluster, and the sums meet in global
 *          memory. decoupled_lookback: nobody looks back, and the bits are the
 *          same every time; but the barrier parts reads from writes, and waits
 *          for the slowest. reduce_then_scan: nothing is read again.
 * Traffic  2N elements: the compulsory minimum (passes = 1).
 * Needs    inner == 1; no more lines than multiprocessors, and all of them in
 *          their shared memory at once; compute capability 9.0. A cooperative
 *          launch: the runtime sees to it that all blocks are resident. Lines
 *          off 16-byte boundaries keep their bulk copies if in, out and mask
 *          are off by the same.
 * Source   none.
 */
#include <cooperative_groups.h>

#include "variants/delays.cuh"
#include "variants/scan/bulk_hints.cuh"
#include "variants/scan/raw_tile.cuh"

/* What is where. A line's elements are counted from the last grain boundary at
 * or before its first; of them every warp has `share`, whole grains. */
template <class T>
struct layout {
    const T *in;
    const uint8_t *mask;
    T *out;
    acc_t<T> *sums; /* a block's */
    int64_t axis;
    int pieces; /* blocks to a line */
    int share;
    int lead;     /* elements from a grain boundary to the tensor's first */
    bool vectors; /* in, out and mask have their boundaries alike */
};

/* A warp's section: elements [begin, end) of its `count` belong to the line,
 * the others, at the line's ends, are 0. */
template <class T>
struct part {
    section<T> s;
    int begin, end;
};

template <class T>
__device__ __forceinline__ part<T> part_of(const layout<T> &l, int warps,
                                           void *room)
{
    const int warp = threadIdx.x / 32, place = blockIdx.x % l.pieces;
    const int64_t line = (int64_t)(blockIdx.x / l.pieces) * l.axis;
    const int64_t origin =
        grain_floor(line, l.lead) + ((int64_t)place * warps + warp) * l.share;
    const int64_t begin = line > origin ? line - origin : 0;
    const int64_t left = line + l.axis - origin;
    const int end = left > l.share ? l.share : left > 0 ? (int)left : 0;
    const int first = begin < end ? (int)begin : end;
    return { { (T *)room + warp * l.share,
               (uint8_t *)((T *)room + warps * l.share) + warp * l.share,
               l.in + origin, l.mask + origin, l.out + origin,
               first < end ? (end + kGrain - 1) / kGrain * kGrain : 0 },
             first,
             end };
}

/* Loads it: whole grains by bulk copies, the rest in single elements. */
template <bool Masked, class T>
__device__ __forceinline__ void part_load(const part<T> &p, bool vectors,
                                          uint64_t *loaded)
{
    const section<T> &s = p.s;
    const int lane = threadIdx.x % 32;
    int from = (p.begin + kGrain - 1) / kGrain * kGrain;
    int to = p.end / kGrain * kGrain;
    if (!vectors || to <= from)
        from = to = p.end;
    if (lane == 0) {
        const unsigned count = (unsigned)(to - from);
        bulk_init(loaded, 1);
        bulk_expect(loaded, count * (unsigned)(sizeof(T) + Masked));
        /* Not read again: it makes way for what is written. */
        const uint64_t policy = evict_first_policy();
        if (count)
            bulk_load_kept(s.x + from, s.in + from, count * (unsigned)sizeof(T),
                           loaded, policy);
        if (Masked && count)
            bulk_load_kept(s.m + from, s.mask + from, count, loaded, policy);
    }
    __syncwarp();
    const auto singly = [&](int e) {
        const bool inside = e >= p.begin && e < p.end;
        s.x[e] = inside ? s.in[e] : from_acc<T>(0);
        if (Masked)
            s.m[e] = inside ? s.mask[e] : 0;
    };
    for (int e = lane; e < from; e += 32)
        singly(e);
    for (int e = to + lane; e < s.count; e += 32)
        singly(e);
    __syncwarp();
    bulk_wait(loaded, 0);
}

/* Scans Rows rows, the first in walk order at index `at` of this lane, and
 * adds their sum to *carry; stores them from registers, so that the first are
 * under way while the next are scanned. */
template <class Scan, int Rows, class T>
__device__ __forceinline__ void finish_rows(const part<T> &p, int at,
                                            bool vectors, acc_t<T> *carry)
{
    constexpr int kStep = Scan::reverse ? -kRow<T> : kRow<T>;
    acc_t<T> v[Rows][kVec<T>], before[Rows];
#pragma unroll
    for (int j = 0; j < Rows; ++j)
        section_vector<Scan::masked>(p.s, at + j * kStep, v[j]);
#pragma unroll
    for (int j = 0; j < Rows; ++j) {
        acc_t<T> row_total;
        before[j] =
            *carry + warp_prefix<Scan::reverse>(items_sum(v[j]), &row_total);
        *carry += row_total;
    }
#pragma unroll
    for (int j = 0; j < Rows; ++j) {
        const int e = at + j * kStep;
        items_scan<Scan>(v[j], before[j]);
        if (vectors && e >= p.begin && e + kVec<T> <= p.end) {
            raw_store(p.s.out + e, to_words<T>(v[j]));
            continue;
        }
#pragma unroll
        for (int k = 0; k < kVec<T>; ++k)
            if (e + k >= p.begin && e + k < p.end)
                p.s.out[e + k] = from_acc<T>(v[j][k]);
    }
}

template <class Scan, class T>
__device__ __forceinline__ void part_finish(const part<T> &p, bool vectors,
                                            acc_t<T> carry)
{
    constexpr int kBatch = sizeof(T) == 4 ? 4 : 2;
    constexpr int kStep = Scan::reverse ? -kRow<T> : kRow<T>;
    int rows = (p.s.count + kRow<T> - 1) / kRow<T>;
    int at =
        (Scan::reverse ? rows - 1 : 0) * kRow<T> + threadIdx.x % 32 * kVec<T>;
    for (; rows >= kBatch; rows -= kBatch, at += kBatch * kStep)
        finish_rows<Scan, kBatch>(p, at, vectors, &carry);
    for (; rows > 0; --rows, at += kStep)
        finish_rows<Scan, 1>(p, at, vectors, &carry);
}

/* The sums of the pieces before this one, added in the same order always. By
 * every warp. */
template <bool Reverse, class T>
__device__ __forceinline__ acc_t<T> pieces_before(const layout<T> &l)
{
    const int place = blockIdx.x % l.pieces;
    const acc_t<T> *sums = l.sums + (blockIdx.x - place);
    acc_t<T> sum = 0;
    for (int k = threadIdx.x % 32; k < l.pieces; k += 32)
        if (Reverse ? k > place : k < place)
            sum += __ldcg(sums + k);
#pragma unroll
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_xor_sync(kWholeWarp, sum, step);
    return sum;
}

template <class T, class Scan, int Threads>
static __global__ void __launch_bounds__(Threads, 1)
    on_chip_barrier(const layout<T> l)
{
#if HAS_BULK_COPY
    using Acc = acc_t<T>;
    extern __shared__ uint4 room[];
    __shared__ Acc totals[Threads / 32];
    __shared__ uint64_t loaded[Threads / 32];
    const part<T> p = part_of(l, Threads / 32, room);

    /* load */
    part_load<Scan::masked>(p, l.vectors, &loaded[threadIdx.x / 32]);

    /* upsweep */
    Acc piece_total;
    Acc carry = warps_prefix<Scan::reverse, Threads>(section_sum<Scan>(p.s),
                                                     totals, &piece_total);

    /* spine: the runtime's barrier needs no clearing */
    if (l.pieces > 1) {
        delay();
        if (threadIdx.x == 0)
            __stcg(l.sums + blockIdx.x, piece_total);
        cooperative_groups::this_grid().sync();
        delay();
        carry += pieces_before<Scan::reverse>(l);
    }

    /* downsweep, store */
    part_finish<Scan>(p, l.vectors, carry);
#endif
}

/* -------------------------------------------------------------------- host */

/* Blocks to a line, and elements to a warp. There is room for as many elements
 * before a line's first as a grain may have. */
struct split {
    int64_t pieces, share;
};

static struct split split_of(const struct problem *p, int threads)
{
    const int64_t vec = 16 / (int64_t)dtype_bytes(p->dtype);
    const int64_t most = p->device->sm_count / shape_lines(p->shape);
    const int64_t elems = p->shape.axis + kGrain - 1;
    int64_t pieces = ceil_div(elems, threads * vec);
    if (pieces > most)
        pieces = most;
    const int64_t share = ceil_div(elems, pieces * (threads / 32));
    return { pieces, ceil_div(share, kGrain) * kGrain };
}

static int64_t block_bytes(const struct problem *p, int threads)
{
    return split_of(p, threads).share * (threads / 32) *
           (int64_t)(dtype_bytes(p->dtype) + (p->op == OP_MASKED_CUMSUM));
}

template <int Threads>
static int launch(const struct problem *p, void *stream)
{
    return dispatch_scan(p, [&](auto type, auto scan) -> int {
        using T = typename decltype(type)::type;
        const auto kernel = on_chip_barrier<T, decltype(scan), Threads>;
        const struct split split = split_of(p, Threads);
        const int bytes = (int)block_bytes(p, Threads);
        const int error = bulk_room(kernel, bytes);
        if (error)
            return error;

        const auto lead = [](const void *first) {
            return (int)((uintptr_t)first % 16 / sizeof(T));
        };
        layout<T> l = {
            (const T *)p->in,         p->mask,       (T *)p->out,
            (acc_t<T> *)p->workspace, p->shape.axis, (int)split.pieces,
            (int)split.share,         lead(p->in),   lead(p->in) == lead(p->out)
        };
        if (p->mask) {
            l.lead = (int)((uintptr_t)p->mask % kGrain);
            l.vectors = l.vectors && l.lead % kVec<T> == lead(p->in);
        }
        cudaLaunchAttribute together = {};
        together.id = cudaLaunchAttributeCooperative;
        together.val.cooperative = 1;
        cudaLaunchConfig_t config = {};
        config.gridDim = (unsigned)(shape_lines(p->shape) * split.pieces);
        config.blockDim = Threads;
        config.dynamicSmemBytes = (size_t)bytes;
        config.stream = (cudaStream_t)stream;
        config.attrs = &together;
        config.numAttrs = 1;
        const cudaError_t launched = cudaLaunchKernelEx(&config, kernel, l);
        return launched != cudaSuccess ? launched : cudaGetLastError();
    });
}

static size_t workspace_bytes(const struct problem *p)
{
    return (size_t)p->device->sm_count * sizeof(double);
}

template <int Threads>
static const char *refuses(const struct problem *p)
{
    constexpr int64_t kStaticBytes = 1024; /* totals and barriers */
    const char *reason = bulk_refuses(p);
    if (reason || !p->device)
        return reason;
    if (shape_lines(p->shape) > p->device->sm_count)
        return "more lines than multiprocessors: none would be shared";
    if (block_bytes(p, Threads) + kStaticBytes > p->device->shared_optin_bytes)
        return "does not fit in the shared memory of all multiprocessors";
    return NULL;
}

#define POINT(threads)                                                         \
    {                                                                          \
        .name = "on_chip_barrier_b" #threads,                                  \
        .idea = "everything in shared memory, one barrier over the grid",      \
        .runs_on = DEVICE_CUDA, .ops = OPS_SCAN, .dtypes = DTYPES_ALL,         \
        .passes = 1, .error_growth = ERROR_TILED, .error_tile = 1024,          \
        .deterministic = true, .refuses = refuses<threads>,                    \
        .workspace_bytes = workspace_bytes, .launch = launch<threads>          \
    }

VARIANTS(scan__on_chip_barrier) = {
    POINT(512),
    POINT(1024),
    {},
};
