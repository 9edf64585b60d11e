/* SPDX-License-Identifier: MIT
 *
 * Idea     One block holds a whole line in registers: one burst of loads, one
 *          scan, one burst of stores. Blocks take lines in memory order, so
 *          the whole GPU walks one small window of addresses.
 * Against  block_per_line: no carry from tile to tile, hence one barrier a
 *          line, and fewer, nearer streams for the DRAM.
 * Traffic  2N elements: the compulsory minimum (passes = 1).
 * Needs    inner == 1; axis at most what the tuning point holds.
 * Source   none.
 */
#include "variants/device.cuh"

/* A warp owns Vecs * 32 vectors in a row; vector j of a lane lies 32 vectors
 * after its vector j - 1, so that every access is one whole 512-byte run. */
template <class T, class Scan, int Threads, int Vecs>
static __global__ void __launch_bounds__(Threads)
    line_in_registers(const T *__restrict__ in,
                      const uint8_t *__restrict__ mask, T *__restrict__ out,
                      int64_t lines, int64_t axis, bool aligned)
{
    using Acc = acc_t<T>;
    __shared__ Acc totals[Threads / 32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int64_t at = ((int64_t)warp * Vecs * 32 + lane) * kVec<T>;

    for (int64_t line = blockIdx.x; line < lines; line += gridDim.x) {
        const int64_t start = line * axis;

        /* load */
        Acc v[Vecs][kVec<T>];
        load_items<T, Scan::masked>(in + start, mask + start, at, 32 * kVec<T>,
                                    axis, aligned, v);

        /* upsweep: where each vector stands in its warp, in walk order */
        Acc before[Vecs], warp_total = 0;
#pragma unroll
        for (int step = 0; step < Vecs; ++step) {
            const int j = Scan::reverse ? Vecs - 1 - step : step;
            Acc row_total;
            before[j] = warp_total +
                        warp_prefix<Scan::reverse>(items_sum(v[j]), &row_total);
            warp_total += row_total;
        }

        /* spine */
        Acc line_total;
        Acc carry = warps_prefix<Scan::reverse, Threads>(warp_total, totals,
                                                         &line_total);

        /* downsweep, store */
#pragma unroll
        for (int j = 0; j < Vecs; ++j) {
            items_scan<Scan>(v[j], carry + before[j]);
            store_items(out + start, at + j * 32 * kVec<T>, axis, aligned,
                        v[j]);
        }
        if (line + gridDim.x < lines)
            __syncthreads(); /* totals may be written again */
    }
}

/* Items of an f32 or half line a thread; a double takes two registers. */
template <class T, int Items>
constexpr int kVecs = (sizeof(T) == 8 ? Items / 2 : Items) / kVec<T>;

template <int Threads, int Items>
static int launch(const struct problem *p, void *stream)
{
    return dispatch_scan(p, [&](auto type, auto scan) -> int {
        using T = typename decltype(type)::type;
        const int64_t axis = p->shape.axis, lines = shape_lines(p->shape);
        line_in_registers<T, decltype(scan), Threads, kVecs<T, Items>>
            <<<grid_x(lines), Threads, 0, (cudaStream_t)stream>>>(
                (const T *)p->in, p->mask, (T *)p->out, lines, axis,
                lines_aligned<T>(p->in, p->mask, p->out, axis));
        return cudaGetLastError();
    });
}

template <int Threads, int Items>
static const char *refuses(const struct problem *p)
{
    if (p->shape.inner != 1)
        return "serves contiguous lines only (inner = 1)";
    if (p->shape.axis > Threads * Items / (p->dtype == DTYPE_F64 ? 2 : 1))
        return "the line does not fit in the block's registers";
    return NULL;
}

#define POINT(threads, items)                                                  \
    {                                                                          \
        .name = "line_in_registers_b" #threads "_i" #items,                    \
        .idea = "one block holds the whole line in registers",                 \
        .runs_on = DEVICE_CUDA, .ops = OPS_SCAN, .dtypes = DTYPES_ALL,         \
        .passes = 1, .error_growth = ERROR_TILED, .error_tile = 1024,          \
        .deterministic = true, .refuses = refuses<threads, items>,             \
        .launch = launch<threads, items>                                       \
    }

VARIANTS(scan__line_in_registers) = {
    POINT(128, 16),
    POINT(256, 32),
    POINT(1024, 32),
    {},
};
