/* SPDX-License-Identifier: MIT
 *
 * Idea     Lines are cut into chunks: one kernel reduces each chunk, a small
 *          one scans the totals of a line's chunks, a third scans each chunk
 *          with its carry. A single line occupies all SMs.
 * Against  block_per_line, which needs many lines; here the data is read once
 *          more.
 * Traffic  3N elements (passes = 1.5; with the mask, read twice too, 14/9 in
 *          f32); 2N where a line is one tile, which needs no carry.
 * Needs    inner == 1; workspace for two accumulators per chunk.
 * Source   D. Merrill, A. Grimshaw, "Parallel Scan for Stream Architectures"
 *          (2009).
 * Lesson   A first pass that only sums saves half a pass; passes still set the
 *          limit.
 */
#include "variants/scan/multi_pass/tile_scan.cuh"

constexpr unsigned kNeeds = IS_LESSON;

/* Elements of a chunk: whole tiles, few enough that there are chunks for
 * several waves of blocks, and at least two in a line of two tiles. (+ 1:
 * without a GPU, the device facts are zeros.) */
static int64_t chunk_elems(const struct problem *p)
{
    const struct device_facts *device = p->device;
    const int64_t wanted = 4 * blocks_in_a_wave(device, kTileThreads);
    const int64_t tile = tile_elems(dtype_bytes(p->dtype));
    const int64_t tiles = ceil_div(p->shape.axis, tile);
    const int64_t most = ceil_div(tiles, 2);
    int64_t share = shape_lines(p->shape) * tiles / (wanted + 1);
    share = share < 1 ? 1 : share > most ? most : share;
    return share * tile;
}

static int64_t chunks_per_line(const struct problem *p)
{
    return ceil_div(p->shape.axis, chunk_elems(p));
}

template <class Op, bool Reverse, bool Masked, class T>
static __global__ void __launch_bounds__(kTileThreads)
    reduce_then_scan_reduce(const T *__restrict__ in,
                            const uint8_t *__restrict__ mask,
                            typename Op::acc *__restrict__ sums, int64_t lines,
                            int64_t axis, int64_t chunk, int64_t chunks,
                            bool aligned)
{
    for (int64_t b = blockIdx.x; b < lines * chunks; b += gridDim.x) {
        const int64_t start = b / chunks * axis, first = b % chunks * chunk;
        const int64_t end = first + chunk < axis ? first + chunk : axis;
        const typename Op::acc sum = reduce_span<Op, Reverse, Masked>(
            in + start, mask + start, first, end, aligned);
        if (threadIdx.x == 0)
            sums[b] = sum;
    }
}

/* One warp per line: few lines have thousands of chunks, many lines few. */
template <class Op, bool Reverse>
static __global__ void __launch_bounds__(kTileThreads)
    reduce_then_scan_spine(const typename Op::acc *__restrict__ sums,
                           typename Op::acc *__restrict__ carries,
                           int64_t lines, int64_t chunks, bool aligned)
{
    using Acc = typename Op::acc;
    constexpr int kWarps = kTileThreads / 32, kRow = 32 * kVec<Acc>;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int64_t rows = ceil_div(chunks, kRow);

    for (int64_t line = (int64_t)blockIdx.x * kWarps + warp; line < lines;
         line += (int64_t)gridDim.x * kWarps) {
        Acc carry = Op::identity();
        for (int64_t step = 0; step < rows; ++step) {
            const int64_t row = Reverse ? rows - 1 - step : step;
            const int64_t at = row * kRow + lane * kVec<Acc>;
            Acc v[kVec<Acc>], total;
            load_items<Op, false>(sums + line * chunks, nullptr, at, chunks,
                                  aligned, v);
            const Acc before =
                warp_prefix<Op, Reverse>(items_reduce<Op, Reverse>(v), &total);
            items_scan<carry_scan<Reverse>, Op>(v, Op::combine(carry, before));
            store_items<Op>(carries + line * chunks, at, chunks, aligned, v);
            carry = Op::combine(carry, total);
        }
    }
}

/* No carries: every line is one chunk. */
template <class T, class Scan>
static __global__ void __launch_bounds__(kTileThreads)
    reduce_then_scan_scan(const T *__restrict__ in,
                          const uint8_t *__restrict__ mask, T *__restrict__ out,
                          const acc_of<Scan, T> *__restrict__ carries,
                          int64_t lines, int64_t axis, int64_t chunk,
                          int64_t chunks, bool aligned)
{
    using Op = op_of<Scan, T>;
    for (int64_t b = blockIdx.x; b < lines * chunks; b += gridDim.x) {
        const int64_t start = b / chunks * axis, first = b % chunks * chunk;
        const int64_t end = first + chunk < axis ? first + chunk : axis;
        scan_span<Scan, Op>(in + start, mask + start, out + start, first, end,
                            aligned, carries ? carries[b] : Op::identity());
    }
}

static int launch(const struct problem *p, void *stream)
{
    return dispatch_scan<kNeeds>(
        p, [&]<class T, class Scan>(tag<T>, Scan) -> int {
            using Op = op_of<Scan, T>;
            using Acc = typename Op::acc;
            const cudaStream_t queue = (cudaStream_t)stream;
            const int64_t axis = p->shape.axis, lines = shape_lines(p->shape);
            const int64_t chunk = chunk_elems(p), chunks = chunks_per_line(p);
            const unsigned blocks = grid_x(lines * chunks);
            const T *const in = (const T *)p->in;
            T *const out = (T *)p->out;
            const bool aligned = lines_aligned<T>(in, p->mask, out, axis);
            Acc *const sums = (Acc *)p->workspace, *carries = NULL;
            if (chunks > 1) {
                carries = sums + lines * chunks;
                reduce_then_scan_reduce<Op, Scan::reverse && !Op::commutative,
                                        Scan::masked>
                    <<<blocks, kTileThreads, 0, queue>>>(
                        in, p->mask, sums, lines, axis, chunk, chunks, aligned);
                reduce_then_scan_spine<over_accs<Op>, Scan::reverse>
                    <<<grid_x(ceil_div(lines, kTileThreads / 32)), kTileThreads,
                       0, queue>>>(
                        sums, carries, lines, chunks,
                        lines_aligned<Acc>(sums, NULL, carries, chunks));
            }
            reduce_then_scan_scan<T, Scan><<<blocks, kTileThreads, 0, queue>>>(
                in, p->mask, out, carries, lines, axis, chunk, chunks, aligned);
            return cudaGetLastError();
        });
}

static size_t workspace_bytes(const struct problem *p)
{
    const int64_t chunks = chunks_per_line(p);
    if (chunks == 1)
        return 0;
    return 2 * (size_t)(shape_lines(p->shape) * chunks) * acc_bytes(p);
}

VARIANTS(scan__reduce_then_scan) = {
    { .name = "reduce_then_scan",
      .idea = "sum chunks, scan the sums, scan each chunk from its carry",
      ON_CUDA(scans<kNeeds>(), 1.5),
      .passes_masked = 14 / 9.0,
      ERROR_OF_TILES(1024), /* a tile has twice that, and is added up twice */
      .deterministic = true,
      .refuses = contiguous_only,
      .workspace_bytes = workspace_bytes,
      .launch = launch },
    {},
};
