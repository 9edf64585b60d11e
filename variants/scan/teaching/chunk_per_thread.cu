/* SPDX-License-Identifier: MIT
 *
 * Idea     A thread reduces a chunk of the line, the block scans the chunks'
 *          totals, the thread scans its chunk from there. Long lines form
 *          tiles of one chunk per thread, with a carry.
 * Against  thread_per_line: a whole block works on a line. Each thread still
 *          reads along its own chunk, so a warp's accesses are not
 *          coalesced.
 * Traffic  3N elements (passes = 1.5; with the mask, read twice too, 14/9 in
 *          f32); the second read may come from caches.
 * Needs    inner == 1.
 * Source   none.
 * Lesson   Work in registers is nearly free; walking memory in chunks is not.
 */
#include "variants/common/kernel.cuh"

template <class T, class Scan, int Threads>
static __global__ void __launch_bounds__(Threads)
    chunk_per_thread(const T *__restrict__ in, const uint8_t *__restrict__ mask,
                     T *__restrict__ out, int64_t lines, int64_t axis,
                     int chunk)
{
    using Op = op_of<Scan, T>;
    using Acc = typename Op::acc;
    __shared__ Acc totals[Threads / 32];
    const int64_t tile = (int64_t)Threads * chunk;
    const int64_t tiles = ceil_div(axis, tile);

    for (int64_t line = blockIdx.x; line < lines; line += gridDim.x) {
        const int64_t start = line * axis;
        Acc carry = Op::identity();
        for (int64_t t = 0; t < tiles; ++t) {
            /* This thread's chunk: n elements, maybe none at the end. */
            const int64_t first = (Scan::reverse ? tiles - 1 - t : t) * tile +
                                  (int64_t)threadIdx.x * chunk;
            const int64_t left = axis - first;
            const int n = left < 0 ? 0 : left < chunk ? (int)left : chunk;

            /* sum the chunk */
            Acc sum = Op::identity();
            for (int k = 0; k < n; ++k) {
                const int64_t at = start + first + k;
                sum = combine_in_memory<Op, Scan::reverse>(
                    sum, !Scan::masked || mask[at] ? Op::lift(in[at])
                                                   : Op::identity());
            }

            /* combine the chunks' totals */
            Acc warp_total, tile_total;
            Acc before = warp_prefix<Op, Scan::reverse>(sum, &warp_total);
            before = Op::combine(
                Op::combine(carry, warps_prefix<Op, Scan::reverse, Threads>(
                                       warp_total, totals, &tile_total)),
                before);

            /* scan the chunk */
            for (int step = 0; step < n; ++step) {
                const int k = Scan::reverse ? n - 1 - step : step;
                const int64_t at = start + first + k;
                const Acc x = !Scan::masked || mask[at] ? Op::lift(in[at])
                                                        : Op::identity();
                const Acc after = Op::combine(before, x);
                out[at] = Op::lower(Scan::exclusive ? before : after);
                before = after;
            }
            carry = Op::combine(carry, tile_total);
            __syncthreads(); /* totals are read before the next tile's are */
        }
    }
}

/* Chunks are shorter than Items where the line is shorter than a tile. */
template <int Threads, int Items>
static int launch(const struct problem *p, void *stream)
{
    return dispatch_scan(p, [&]<class T, class Scan>(tag<T>, Scan) -> int {
        const int64_t axis = p->shape.axis, lines = shape_lines(p->shape);
        const int64_t share = ceil_div(axis, Threads);
        return launch_kernel(chunk_per_thread<T, Scan, Threads>, lines, Threads,
                             0, stream, p->in, p->mask, p->out, lines, axis,
                             share < Items ? (int)share : Items);
    });
}

#define POINT(threads, items)                                                  \
    {                                                                          \
        .name = "chunk_per_thread_b" #threads "_i" #items,                     \
        .idea = "a chunk per thread, chunk totals scanned, chunks rescanned",  \
        .runs_on = DEVICE_CUDA, .ops = scans(), .passes = 1.5,                 \
        .passes_masked = 14 / 9.0, .error_growth = ERROR_TILED,                \
        .error_tile = threads * items, .deterministic = true,                  \
        .refuses = contiguous_only, .launch = launch<threads, items>           \
    }

VARIANTS(scan__chunk_per_thread) = {
    POINT(256, 16),
    {},
};
