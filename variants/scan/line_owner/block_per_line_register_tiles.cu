/* SPDX-License-Identifier: MIT
 *
 * Idea     One block walks one line in tiles that fill its registers: bursts
 *          of 64 to 128 KB of loads, then of stores, and a carry.
 * Against  block_per_line_registers: serves lines of any length; but a long
 *          line's tiles are far from its neighbours' in time, and the DRAM
 *          serves as many places as there are blocks. block_per_line: larger
 *          tiles.
 * Traffic  2N elements: the compulsory minimum (passes = 1).
 * Needs    inner == 1. Lines off 16-byte boundaries keep their 16-byte
 *          accesses if in, out and mask are off by the same.
 * Source   none.
 * Lesson   Tiles as large as the registers allow mean few carries and long
 *          bursts.
 */
#include "variants/scan/line_owner/line_words.cuh"

/* Scans one tile with that carry-in, and returns the carry out. */
template <class T, class Scan, int Threads, int Vecs, bool Whole>
__device__ __forceinline__ acc_of<Scan, T>
scan_burst(const T *__restrict__ in, const uint8_t *__restrict__ mask, T *out,
           int elems, bool vectors, acc_of<Scan, T> carry,
           acc_of<Scan, T> *totals)
{
    using Op = op_of<Scan, T>;
    using Acc = typename Op::acc;
    using Block = block_scan<T, Scan, Threads, Vecs>;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int at = warp * Vecs * Block::kStep + lane * kVec<T>;
    const unsigned zero = hidden_zero();

    /* load */
    uint4 r[Vecs];
    load_part<Op, Scan::masked, Whole>(in, mask, at, elems, vectors, r);

    Acc before[Vecs], total;
    const Acc base =
        Op::combine(carry, Block::prefixes(r, before, totals, &total));

    /* store */
#pragma unroll
    for (int j = 0; j < Vecs; ++j) {
        const int place = at + j * Block::kStep;
        const uint4 words =
            Block::scan_words(r[j], Op::combine(base, before[j]), zero);
        if (Whole || (vectors && place + kVec<T> <= elems))
            __stcs((uint4 *)(out + place), words);
        else
            store_singly(out, place, elems, words);
    }
    return Op::combine(carry, total);
}

/* Every line is `tiles` whole tiles, from a 16-byte boundary on. (In a kernel
 * of its own: beside the other one, the compiler has too few registers to keep
 * a tile's loads in flight together.) */
template <class T, class Scan, int Threads, int Vecs, int Blocks>
static __global__ void __launch_bounds__(Threads, Blocks)
    whole_bursts(const T *__restrict__ in, const uint8_t *__restrict__ mask,
                 T *__restrict__ out, int tiles)
{
    TAG(fast);
    using Op = op_of<Scan, T>;
    using Acc = typename Op::acc;
    constexpr int kElems = Threads * Vecs * kVec<T>;
    __shared__ Acc totals[2][Threads / 32]; /* hence one barrier per tile */
    Acc carry = Op::identity();
    for (int step = 0; step < tiles; ++step) {
        const int tile = Scan::reverse ? tiles - 1 - step : step;
        const int64_t start = ((int64_t)blockIdx.x * tiles + tile) * kElems;
        carry = scan_burst<T, Scan, Threads, Vecs, true>(
            in + start, mask + start, out + start, kElems, true, carry,
            totals[step % 2]);
    }
}

template <class T, class Scan, int Threads, int Vecs, int Blocks>
static __global__ void __launch_bounds__(Threads, Blocks)
    block_per_line_register_tiles(const T *__restrict__ in,
                                  const uint8_t *__restrict__ mask,
                                  T *__restrict__ out, int64_t lines,
                                  int64_t axis, bool vectors)
{
    using Op = op_of<Scan, T>;
    using Acc = typename Op::acc;
    constexpr int kElems = Threads * Vecs * kVec<T>;
    __shared__ Acc totals[2][Threads / 32]; /* hence one barrier per tile */

    for (int64_t line = blockIdx.x; line < lines; line += gridDim.x) {
        const T *x = in + line * axis;
        const uint8_t *m = mask + line * axis;
        T *y = out + line * axis;
        int head = 0;
        if (vectors) {
            head = (int)(-((uintptr_t)x / sizeof(T)) % kVec<T>);
            head = head < axis ? head : (int)axis;
        }
        Acc carry = Op::identity();
        if (!Scan::reverse && head > 0)
            carry = scan_head<T, Scan>(x, m, threadIdx.x ? NULL : y, head,
                                       Op::identity());

        const int64_t tiles = ceil_div(axis - head, kElems);
        for (int64_t step = 0; step < tiles; ++step) {
            const int64_t tile = Scan::reverse ? tiles - 1 - step : step;
            const int64_t start = head + tile * kElems;
            const int elems = (int)min(axis - start, (int64_t)kElems);
            carry = scan_burst<T, Scan, Threads, Vecs, false>(
                x + start, m + start, y + start, elems, vectors, carry,
                totals[step % 2]);
        }

        if (Scan::reverse && head > 0)
            scan_head<T, Scan>(x, m, threadIdx.x ? NULL : y, head, carry);
        __syncthreads(); /* totals may be written again */
    }
}

template <int Threads, int Items>
static int launch(const struct problem *p, void *stream)
{
    return dispatch_scan(p, [&]<class T, class Scan>(tag<T>, Scan) -> int {
        constexpr int kLaneVecs = kTileVectors<T, Items>;
        constexpr int kElems = Threads * kLaneVecs * kVec<T>;
        constexpr int kBlocks = 65536 / Threads / (kLaneVecs > 8 ? 128 : 64);
        const int64_t lines = shape_lines(p->shape), axis = p->shape.axis;
        const bool vectors = same_boundaries(p);
        if (vectors && (uintptr_t)p->in % 16 == 0 && axis % kElems == 0 &&
            grid_x(lines) == lines && axis / kElems <= 1 << 30)
            return launch_kernel(
                whole_bursts<T, Scan, Threads, kLaneVecs, kBlocks>, lines,
                Threads, 0, stream, p->in, p->mask, p->out,
                (int)(axis / kElems));
        return launch_kernel(
            block_per_line_register_tiles<T, Scan, Threads, kLaneVecs, kBlocks>,
            lines, Threads, 0, stream, p->in, p->mask, p->out, lines, axis,
            vectors);
    });
}

/* A tile of doubles is half as long, and the bound must hold for it too. */
#define POINT(threads, items)                                                  \
    {                                                                          \
        .name = "block_per_line_register_tiles_b" #threads "_i" #items,        \
        .idea = "one block walks a line in tiles that fill its registers",     \
        .runs_on = DEVICE_CUDA, .ops = scans(), .passes = 1,                   \
        .error_growth = ERROR_TILED, .error_tile = threads * items / 2,        \
        .deterministic = true, .refuses = contiguous_only,                     \
        .launch = launch<threads, items>                                       \
    }

VARIANTS(scan__block_per_line_register_tiles) = {
    POINT(256, 64),
    {},
};
