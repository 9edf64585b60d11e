/* SPDX-License-Identifier: MIT
 *
 * Idea     A block holds a whole line in shared memory. Every warp asks for
 *          its part of it with one bulk copy, waits for no other's, scans it
 *          in place and sends it off with one bulk copy. (Below compute
 *          capability 9.0, the warp copies vectors.)
 * Against  block_per_line_registers: longer lines fit, and halves take half
 *          the room; but each element goes through shared memory three times.
 *          It is best where two blocks or more fit a multiprocessor, so that
 *          one loads while another stores. Stores straight from registers,
 *          instead of in place and in bulk, were slower.
 * Traffic  2N elements: the compulsory minimum (passes = 1).
 * Needs    inner == 1; axis at most what a block's shared memory holds.
 *          Lines off 16-byte boundaries are moved in single elements.
 * Source   none.
 * Lesson   Bulk copies in and out of a line that lies in shared memory leave
 *          the registers to the scan.
 */
#include "variants/common/shared_section.cuh"

/* Blocks an SM: registers must not keep off those that have room in shared
 * memory. */
template <int Threads>
constexpr int kBlocks = 1024 / Threads;

template <class T, class Scan, int Threads>
static __global__ void __launch_bounds__(Threads, kBlocks<Threads>)
    block_per_line_shared(const T *__restrict__ in,
                          const uint8_t *__restrict__ mask, T *__restrict__ out,
                          int64_t lines, int axis, int padded, bool bulk)
{
    using Acc = acc_t<T>;
    extern __shared__ uint4 room[];
    __shared__ Acc totals[Threads / 32];
    __shared__ uint64_t loaded[Threads / 32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    /* As many rows as the line needs, so that all warps have their share. */
    const int most =
        (axis + Threads * kVec<T> - 1) / (Threads * kVec<T>)*kRow<T>;
    const int first = min(axis, warp * most);
    unsigned parity = 0;
    if (lane == 0)
        bulk_init(&loaded[warp], 1);
    __syncwarp();

    for (int64_t line = blockIdx.x; line < lines; line += gridDim.x) {
        const int64_t start = line * axis + first;
        const section<T> s = {
            (T *)room + first, (uint8_t *)((T *)room + padded) + first,
            in + start,        mask + start,
            out + start,       min(axis - first, most)
        };

        /* load */
        if (bulk)
            section_bring<Scan::masked>(s, &loaded[warp], &parity);
        else
            section_load_singly<Scan::masked>(s);

        /* upsweep, spine */
        Acc line_total;
        const Acc carry = warps_prefix<Scan::reverse, Threads>(
            section_sum<Scan>(s), totals, &line_total);

        /* downsweep, store */
        section_scan<Scan>(s, carry);
        section_store(s, bulk);
        stores_left<0>(); /* shared memory is filled again, or given back */
        if (line + gridDim.x < lines)
            __syncthreads(); /* totals may be written again */
    }
}

/* Elements that a line takes in shared memory: whole 16-byte runs, also of a
 * mask. */
static int64_t padded_axis(const struct problem *p)
{
    return (p->shape.axis + 15) / 16 * 16;
}

static int64_t line_bytes(const struct problem *p)
{
    return padded_axis(p) *
           (int64_t)(dtype_bytes(p->dtype) + (p->op == OP_MASKED_CUMSUM));
}

template <int Threads>
static int launch(const struct problem *p, void *stream)
{
    return dispatch_scan(p, [&](auto type, auto scan) -> int {
        using T = typename decltype(type)::type;
        const auto kernel = block_per_line_shared<T, decltype(scan), Threads>;
        const int64_t lines = shape_lines(p->shape);
        const int bytes = (int)line_bytes(p);
        const cudaError_t error = cudaFuncSetAttribute(
            kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
        if (error != cudaSuccess)
            return error;
        kernel<<<grid_x(lines), Threads, bytes, (cudaStream_t)stream>>>(
            (const T *)p->in, p->mask, (T *)p->out, lines, (int)p->shape.axis,
            (int)padded_axis(p), bulk_aligned<T>(p));
        return cudaGetLastError();
    });
}

static const char *refuses(const struct problem *p)
{
    constexpr int64_t kStaticBytes = 1024; /* totals and barriers */
    const char *reason = contiguous_only(p);
    if (reason)
        return reason;
    if (p->device &&
        line_bytes(p) + kStaticBytes > p->device->shared_optin_bytes)
        return "the line does not fit in the block's shared memory";
    return NULL;
}

#define POINT(threads)                                                         \
    {                                                                          \
        .name = "block_per_line_shared_b" #threads,                            \
        .idea = "one block holds the whole line in shared memory",             \
        .runs_on = DEVICE_CUDA, .ops = OPS_SCAN, .dtypes = DTYPES_ALL,         \
        .passes = 1, .error_growth = ERROR_TILED, .error_tile = 1024,          \
        .deterministic = true, .refuses = refuses, .launch = launch<threads>   \
    }

VARIANTS(scan__block_per_line_shared) = {
    POINT(512),
    {},
};
