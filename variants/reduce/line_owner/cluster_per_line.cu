/* SPDX-License-Identifier: MIT
 *
 * Idea     A cluster of blocks takes a line, a piece a block, with eight loads
 *          a thread in flight. Every warp sends its sum into the first block's
 *          shared memory, where one warp adds them up, always in the same
 *          order.
 * Against  split_axis_last_block: there sums go through memory, behind a fence
 *          and counters that another kernel has cleared; block_per_period: any
 *          rows there, and a cluster's barrier on either side of what is
 *          exchanged.
 * Traffic  N elements: the compulsory minimum (passes = 1).
 * Needs    inner == 1; lines of 4 KiB to 16 MiB; clusters (compute capability
 *          9.0).
 * Source   none.
 * Lesson   The time of a small problem is launches, first instructions and
 *          round trips; one short kernel has the fewest.
 */
#include "variants/common/collective/cluster_exchange.cuh"

[[maybe_unused]] constexpr int kThreads = 512, kWarps = kThreads / 32,
                               kLoads = 8;
constexpr int kMostBlocks = 16;                              /* of a cluster */
constexpr int64_t kLeastBytes = 4096, kMostBytes = 16 << 20; /* of a line */

/* Sums those elements of the vector at x that belong to the line; `at` is the
 * index in the line of x[0], and may be negative. Element by element: the rest
 * may lie outside the tensor. */
template <class T>
__device__ __forceinline__ acc_t<T> end_sum(const T *x, int at, int axis)
{
    acc_t<T> sum = 0;
#pragma unroll
    for (int k = 0; k < kVec<T>; ++k)
        sum += at + k >= 0 && at + k < axis ? to_acc(x[k]) : acc_t<T>(0);
    return sum;
}

template <class T>
__device__ __forceinline__ acc_t<T> vector_sum(const uint4 &x)
{
    acc_t<T> v[kVec<T>];
    to_items<T>(x, v);
#pragma unroll
    for (int half = kVec<T> / 2; half > 0; half /= 2)
#pragma unroll
        for (int k = 0; k < half; ++k)
            v[k] += v[k + half];
    return v[0];
}

/* This thread's part of the vectors [from, to) of the line whose first element
 * is x[shift], without vector 0 and vector `last`, which neighbouring lines may
 * share: block 0 adds those. */
template <class T>
__device__ __forceinline__ acc_t<T> piece_sum(const T *x, int from, int to,
                                              int shift, int last, int axis)
{
    acc_t<T> sum = 0;
    const int lane = (int)threadIdx.x;
    for (int first = from; first < to; first += kThreads * kLoads) {
        uint4 y[kLoads];
#pragma unroll
        for (int j = 0; j < kLoads; ++j) {
            const int v = first + lane + j * kThreads;
            y[j] = {};
            if (v > 0 && v < to && v < last)
                y[j] = ((const uint4 *)x)[v];
        }
        if (first == 0 && lane < 2 && lane <= last)
            sum += end_sum<T>(x + (int64_t)lane * last * kVec<T>,
                              lane * last * kVec<T> - shift, axis);
#pragma unroll
        for (int j = 0; j < kLoads; ++j)
            sum += vector_sum<T>(y[j]);
    }
    return sum;
}

/* Lines from the `lead`-th element of an aligned vector on; `each` vectors a
 * block of the cluster's `blocks`. */
template <class T>
static __global__ void __launch_bounds__(kThreads, kResident<kThreads, 2>)
    cluster_per_line(const T *__restrict__ in, T *__restrict__ out,
                     int64_t lines, int axis, int lead, int each, int blocks)
{
#if HAS_BULK_COPY
    using Acc = acc_t<T>;
    constexpr int V = kVec<T>;
    __shared__ Acc sums[kMostBlocks * kWarps];
    __shared__ uint64_t arrived;
    const int warp = (int)threadIdx.x / 32, lane = (int)threadIdx.x % 32;
    const int rank = (int)cluster_rank();
    const unsigned bytes = (unsigned)(blocks * kWarps * (int)sizeof(Acc));
    const int64_t clusters = gridDim.x / (unsigned)blocks;
    unsigned parity = 0;

    if (rank == 0 && threadIdx.x == 0) {
        bulk_init(&arrived, 1);
        bulk_expect(&arrived, bytes);
        cluster_barriers_ready();
    }
    cluster_arrive();

    for (int64_t line = blockIdx.x / (unsigned)blocks; line < lines;
         line += clusters) {
        /* load, upsweep */
        const int64_t first = line * axis;
        const int shift = (int)((first + lead) % V);
        const int last = (shift + axis - 1) / V;
        const int from = rank * each, to = min(from + each, last + 1);
        const Acc sum = warp_reduce<sum_op<Acc>>(
            piece_sum<T>(in + first - shift, from, to, shift, last, axis));

        /* spine */
        if (parity == 0 && line == blockIdx.x / (unsigned)blocks)
            cluster_wait(); /* the barrier is there */
        if (lane == 0)
            send_sum(0, &sums[rank * kWarps + warp], sum, &arrived);
        if (rank == 0 && warp == 0) {
            bulk_wait(&arrived, parity);
            Acc total = 0;
            for (int k = lane; k < blocks * kWarps; k += 32)
                total += sums[k];
            total = warp_reduce<sum_op<Acc>>(total);

            /* store */
            if (lane == 0)
                out[line] = from_acc<T>(total);
            if (lane == 0 && line + clusters < lines)
                bulk_expect(&arrived, bytes);
        }
        parity ^= 1;
        if (line + clusters < lines)
            cluster_sync(); /* the sums may be written again */
    }
#endif
}

/* ------------------------------------------------------------------ host */

/* As many blocks as there are pieces of 8 KiB, and as the GPU holds twice. */
static int blocks_of(const struct problem *p)
{
    /* Every device that has clusters has eight blocks in one. */
    const int most = p->device->compute_capability == 90 ? kMostBlocks : 8;
    const int64_t line = p->shape.axis * (int64_t)dtype_bytes(p->dtype);
    const int64_t held = 2 * (int64_t)p->device->sm_count;
    int blocks = 1;
    while (blocks < most && blocks * 16384 <= line &&
           2 * blocks * p->shape.outer <= held)
        blocks *= 2;
    return blocks;
}

static int launch(const struct problem *p, void *stream)
{
    return dispatch_dtype(p->dtype, [&](auto type) -> int {
        using T = typename decltype(type)::type;
        if (p->shape.axis == 0)
            return cudaMemsetAsync(p->out, 0, p->shape.outer * sizeof(T),
                                   (cudaStream_t)stream);
        const auto kernel = cluster_per_line<T>;
        const int blocks = blocks_of(p);
        if (blocks > 8) { /* more than every device promises */
            const int error = cudaFuncSetAttribute(
                kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
            if (error != cudaSuccess)
                return error;
        }
        /* with one more, if lines begin anywhere */
        const int64_t vectors = ceil_div(p->shape.axis + kVec<T> - 1, kVec<T>);
        return cluster_launch(kernel, p->shape.outer, (unsigned)blocks,
                              kThreads, 0, stream, (const T *)p->in,
                              (T *)p->out, p->shape.outer, (int)p->shape.axis,
                              (int)((uintptr_t)p->in % 16 / sizeof(T)),
                              (int)ceil_div(vectors, blocks), blocks);
    });
}

static const char *refuses(const struct problem *p)
{
    const char *lacking = bulk_lacking(p);
    if (lacking)
        return lacking;
    if (p->shape.inner != 1)
        return "serves contiguous lines only (inner = 1)";
    const int64_t line = p->shape.axis * (int64_t)dtype_bytes(p->dtype);
    return p->shape.axis > 0 && (line < kLeastBytes || line > kMostBytes)
               ? "serves lines of 4 KiB to 16 MiB"
               : NULL;
}

VARIANTS(reduce__cluster_per_line) = {
    {
        .name = "cluster_per_line_b512_i32",
        .idea = "a cluster takes a line, and its first block adds up",
        .runs_on = DEVICE_CUDA,
        .ops = OP_BIT(OP_SUM),
        .dtypes = DTYPES_ALL,
        .passes = 1,
        .error_growth = ERROR_TILED,
        .error_tile = 1024,
        .deterministic = true,
        .refuses = refuses,
        .launch = launch,
    },
    {},
};
