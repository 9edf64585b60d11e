/* SPDX-License-Identifier: MIT
 *
 * Idea     A cluster of blocks holds a whole line in the shared memory of
 *          several multiprocessors. A block writes its sum into the others'
 *          memory, where a barrier counts the bytes; none waits for more than
 *          that, and lines many times longer than one block holds take one
 *          pass.
 * Against  line_in_shared: the same, but a piece of a line a block, and one
 *          exchange more. Where lines are long, no look-back and no flags in
 *          memory; the same bits every time. A block waits for the slowest of
 *          those before it, shared memory idle meanwhile, and more so the more
 *          blocks share a line: behind line_in_shared wherever that serves.
 * Traffic  2N elements: the compulsory minimum (passes = 1).
 * Needs    inner == 1; axis at most what the cluster's shared memory holds;
 *          compute capability 9.0. Lines off 16-byte boundaries are moved in
 *          single elements.
 * Source   none.
 */
#include "variants/scan/cluster_exchange.cuh"
#include "variants/scan/shared_section.cuh"

/* -------------------------------------------------------------- the kernel */

template <class T, class Scan, int Threads, int Blocks>
static __global__ void __launch_bounds__(Threads, 1024 / Threads)
    cluster_line(const T *__restrict__ in, const uint8_t *__restrict__ mask,
                 T *__restrict__ out, int64_t lines, int axis, int piece,
                 bool bulk)
{
#if HAS_BULK_COPY
    using Acc = acc_t<T>;
    extern __shared__ uint4 room[];
    __shared__ Acc totals[Threads / 32], pieces[Blocks];
    __shared__ uint64_t loaded[Threads / 32], told;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int rank = (int)cluster_rank(), share = piece / (Threads / 32);
    const int place = warp * share, first = min(axis, rank * piece + place);
    const int before = Scan::reverse ? Blocks - 1 - rank : rank; /* blocks */
    unsigned parity = 0;
    if (lane == 0)
        bulk_init(&loaded[warp], 1);
    if (threadIdx.x == 0) {
        bulk_init(&told, 1);
        bulk_expect(&told, before * sizeof(Acc));
        cluster_barriers_ready();
    }
    __syncwarp();

    for (int64_t line = blockIdx.x / Blocks; line < lines;
         line += gridDim.x / Blocks) {
        const int64_t start = line * axis + first;
        const section<T> s = {
            (T *)room + place, (uint8_t *)((T *)room + piece) + place,
            in + start,        mask + start,
            out + start,       min(axis - first, share)
        };

        /* load */
        if (bulk)
            section_ask<Scan::masked>(s, &loaded[warp]);
        delay();
        __syncwarp();
        cluster_arrive(); /* others may write here */
        if (bulk) {
            bulk_wait(&loaded[warp], parity);
        } else {
            section_load_singly<Scan::masked>(s);
        }

        /* upsweep, spine */
        Acc piece_total;
        const Acc in_block = warps_prefix<Scan::reverse, Threads>(
            section_sum<Scan>(s), totals, &piece_total);
        cluster_wait();
        const int after = (int)threadIdx.x + 1; /* blocks after this one */
        if (before + after < Blocks)
            tell(Scan::reverse ? rank - after : rank + after, &pieces[before],
                 piece_total, &told);
        bulk_wait(&told, parity);
        Acc carry = in_block;
        for (int k = 0; k < before; ++k)
            carry += pieces[k];

        /* downsweep, store */
        section_scan<Scan>(s, carry);
        section_store(s, bulk);
        stores_left<0>(); /* shared memory is filled again, or given back */
        if (line + gridDim.x / Blocks >= lines)
            break;
        parity ^= 1;
        __syncthreads(); /* totals and pieces may be written again */
        if (threadIdx.x == 0)
            bulk_expect(&told, before * sizeof(Acc));
    }
#endif
}

/* -------------------------------------------------------------------- host */

/* Elements of a block, as the same number of whole rows a warp. */
static int64_t piece_elems(const struct problem *p, int threads, int blocks)
{
    const int64_t vec = 16 / (int64_t)dtype_bytes(p->dtype);
    return ceil_div(p->shape.axis, blocks * threads * vec) * threads * vec;
}

static int64_t piece_bytes(const struct problem *p, int threads, int blocks)
{
    return piece_elems(p, threads, blocks) *
           (int64_t)(dtype_bytes(p->dtype) + (p->op == OP_MASKED_CUMSUM));
}

template <int Threads, int Blocks>
static int launch(const struct problem *p, void *stream)
{
    return dispatch_scan(p, [&](auto type, auto scan) -> int {
        using T = typename decltype(type)::type;
        const auto kernel = cluster_line<T, decltype(scan), Threads, Blocks>;
        const int64_t lines = shape_lines(p->shape);
        const int bytes = (int)piece_bytes(p, Threads, Blocks);
        const cudaError_t error = cudaFuncSetAttribute(
            kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
        if (error != cudaSuccess)
            return error;
        return cluster_launch(
            kernel, lines, Blocks, Threads, bytes, stream, (const T *)p->in,
            p->mask, (T *)p->out, lines, (int)p->shape.axis,
            (int)piece_elems(p, Threads, Blocks), bulk_aligned<T>(p));
    });
}

template <int Threads, int Blocks>
static const char *refuses(const struct problem *p)
{
    constexpr int64_t kStaticBytes = 1024; /* totals and barriers */
    const char *reason = bulk_refuses(p);
    if (reason)
        return reason;
    if (p->device && piece_bytes(p, Threads, Blocks) + kStaticBytes >
                         p->device->shared_optin_bytes)
        return "the line does not fit in the cluster's shared memory";
    return NULL;
}

/* c: blocks in a cluster. */
#define POINT(blocks, threads)                                                 \
    {                                                                          \
        .name = "cluster_line_c" #blocks "_b" #threads,                        \
        .idea = "a cluster of blocks holds the whole line in shared memory",   \
        .runs_on = DEVICE_CUDA, .ops = OPS_SCAN, .dtypes = DTYPES_ALL,         \
        .passes = 1, .error_growth = ERROR_TILED, .error_tile = 1024,          \
        .deterministic = true, .refuses = refuses<threads, blocks>,            \
        .launch = launch<threads, blocks>                                      \
    }

VARIANTS(scan__cluster_line) = {
    POINT(2, 128),
    POINT(4, 256),
    {},
};
