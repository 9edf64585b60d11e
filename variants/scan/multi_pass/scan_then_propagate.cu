/* SPDX-License-Identifier: MIT
 *
 * Idea     Every tile is scanned on its own into out; then the tiles' totals
 *          are scanned, and a last kernel combines every tile with its carry.
 * Against  reduce_then_scan, which reads the input twice: here unfinished
 *          results go to memory and back, one write more.
 * Traffic  4N elements (passes = 2; the mask is read once: 17/9 in f32) in
 *          lines of many tiles: the first tile of a line is right at once.
 * Needs    inner == 1; workspace for two accumulators per tile; elements that
 *          store an accumulator without loss: half types would be rounded
 *          before the carry and after it.
 * Source   S. Sengupta et al., "Scan Primitives for GPU Computing" (2007).
 * Lesson   Any line is parallel, at the cost of two passes over memory.
 */
#include "variants/scan/multi_pass/tile_scan.cuh"

constexpr unsigned kNeeds = NEEDS_LOSSLESS;

template <class T, class Scan>
static __global__ void __launch_bounds__(kTileThreads)
    scan_then_propagate_scan(const T *__restrict__ in,
                             const uint8_t *__restrict__ mask,
                             T *__restrict__ out,
                             acc_of<Scan, T> *__restrict__ totals,
                             int64_t lines, int64_t axis, int64_t tiles,
                             bool aligned)
{
    using Op = op_of<Scan, T>;
    for (int64_t b = blockIdx.x; b < lines * tiles; b += gridDim.x) {
        const int64_t start = b / tiles * axis;
        const int64_t first = b % tiles * kTileElems<T>;
        const int64_t end = first + kTileElems<T>;
        const typename Op::acc total = scan_span<Scan, Op>(
            in + start, mask + start, out + start, first,
            end < axis ? end : axis, aligned, Op::identity());
        if (threadIdx.x == 0 && tiles > 1)
            totals[b] = total;
    }
}

template <class Op, bool Reverse, class Acc = typename Op::element>
static __global__ void __launch_bounds__(kTileThreads)
    scan_then_propagate_spine(const Acc *__restrict__ totals,
                              Acc *__restrict__ carries, int64_t lines,
                              int64_t tiles, bool aligned)
{
    for (int64_t line = blockIdx.x; line < lines; line += gridDim.x)
        scan_span<carry_scan<Reverse>, Op>(totals + line * tiles, nullptr,
                                           carries + line * tiles, 0, tiles,
                                           aligned, Op::identity());
}

/* Blocks take all tiles but the first of each line in walk order. */
template <class Op, bool Reverse, class T = typename Op::element>
static __global__ void __launch_bounds__(kTileThreads)
    scan_then_propagate_add(T *__restrict__ out,
                            const typename Op::acc *__restrict__ carries,
                            int64_t lines, int64_t axis, int64_t tiles,
                            bool aligned)
{
    for (int64_t b = blockIdx.x; b < lines * (tiles - 1); b += gridDim.x) {
        const int64_t line = b / (tiles - 1);
        const int64_t tile = b % (tiles - 1) + (Reverse ? 0 : 1);
        const int64_t first = tile * kTileElems<T>;
        const typename Op::acc carry = carries[line * tiles + tile];
        tile_items<Op> v;
        load_tile<Op, false>(out + line * axis, nullptr, first, axis, aligned,
                             v);
#pragma unroll
        for (int j = 0; j < kTileVecs<T>; ++j)
#pragma unroll
            for (int k = 0; k < kVec<T>; ++k)
                v[j][k] = Op::combine(carry, v[j][k]);
        store_tile<Op>(out + line * axis, first, axis, aligned, v);
    }
}

template <class T, class Scan>
static int launch_as(const struct problem *p, cudaStream_t queue)
{
    using Op = op_of<Scan, T>;
    using Acc = typename Op::acc;
    const int64_t axis = p->shape.axis, lines = shape_lines(p->shape);
    const int64_t tiles = ceil_div(axis, kTileElems<T>);
    const bool aligned = lines_aligned<T>(p->in, p->mask, p->out, axis);
    T *const out = (T *)p->out;
    Acc *const totals = (Acc *)p->workspace;

    scan_then_propagate_scan<T, Scan>
        <<<grid_x(lines * tiles), kTileThreads, 0, queue>>>(
            (const T *)p->in, p->mask, out, totals, lines, axis, tiles,
            aligned);
    if (tiles > 1) {
        Acc *const carries = totals + lines * tiles;
        scan_then_propagate_spine<over_accs<Op>, Scan::reverse>
            <<<grid_x(lines), kTileThreads, 0, queue>>>(
                totals, carries, lines, tiles,
                lines_aligned<Acc>(totals, NULL, carries, tiles));
        scan_then_propagate_add<Op, Scan::reverse>
            <<<grid_x(lines * (tiles - 1)), kTileThreads, 0, queue>>>(
                out, carries, lines, axis, tiles, aligned);
    }
    return cudaGetLastError();
}

static int launch(const struct problem *p, void *stream)
{
    return dispatch_scan<kNeeds>(p, [&]<class T, class Scan>(tag<T>, Scan) {
        return launch_as<T, Scan>(p, (cudaStream_t)stream);
    });
}

static size_t workspace_bytes(const struct problem *p)
{
    const int64_t tiles =
        ceil_div(p->shape.axis, tile_elems(dtype_bytes(p->dtype)));
    if (tiles == 1)
        return 0;
    return 2 * (size_t)(shape_lines(p->shape) * tiles) * acc_bytes(p);
}

VARIANTS(scan__scan_then_propagate) = {
    { .name = "scan_then_propagate",
      .idea = "scan tiles into out, scan their totals, add the carries",
      .runs_on = DEVICE_CUDA,
      .ops = scans<kNeeds>(),
      .passes = 2,
      .passes_masked = 17 / 9.0,
      .error_growth = ERROR_TILED,
      .error_tile = 4096,
      .deterministic = true,
      .refuses = contiguous_only,
      .workspace_bytes = workspace_bytes,
      .launch = launch },
    {},
};
