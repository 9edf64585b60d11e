/* SPDX-License-Identifier: MIT
 *
 * Idea     One block holds a whole line in registers, as the words that were
 *          loaded: one burst of loads, one scan, one burst of stores. Blocks
 *          take lines in memory order, so that the whole GPU walks one small
 *          window of addresses.
 * Against  block_per_line: no carry between tiles, hence one barrier per line,
 *          and fewer, closer streams for the DRAM.
 * Traffic  2N elements: the compulsory minimum (passes = 1).
 * Needs    inner == 1; axis at most what the tuning point holds. Lines off
 *          16-byte boundaries keep their 16-byte accesses if in, out and mask
 *          are off by the same.
 * Source   none.
 * Lesson   Without a carry, the whole GPU stays within a small window of
 *          addresses.
 */
#include "variants/scan/line_owner/line_words.cuh"

/* Every line fills its block, from a 16-byte boundary on. */
template <class T, class Scan, int Threads, int Vecs, int Blocks>
static __global__ void __launch_bounds__(Threads, kResident<Threads, Blocks>)
    whole_lines(const T *__restrict__ in, const uint8_t *__restrict__ mask,
                T *__restrict__ out)
{
    TAG(fast);
    using Op = op_of<Scan, T>;
    using Acc = typename Op::acc;
    using Block = block_scan<T, Scan, Threads, Vecs>;
    constexpr int kElems = Threads * Vecs * kVec<T>;
    __shared__ Acc totals[Threads / 32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int at = warp * Vecs * Block::kStep + lane * kVec<T>;
    const int64_t start = (int64_t)blockIdx.x * kElems;

    uint4 r[Vecs];
    load_vectors<Op, Scan::masked, true>(in + start, mask + start, at, kElems,
                                         r);
    Acc before[Vecs], total;
    const Acc carry = Block::prefixes(r, before, totals, &total);

    const unsigned zero = hidden_zero();
#pragma unroll
    for (int j = 0; j < Vecs; ++j)
        __stcs((uint4 *)(out + start + at + j * Block::kStep),
               Block::scan_words(r[j], Op::combine(carry, before[j]), zero));
}

/* Lines of any length that fits. Without `vectors`, in single elements. */
template <class T, class Scan, int Threads, int Vecs, int Blocks>
static __global__ void __launch_bounds__(Threads, kResident<Threads, Blocks>)
    block_per_line_registers(const T *__restrict__ in,
                             const uint8_t *__restrict__ mask,
                             T *__restrict__ out, int64_t lines, int axis,
                             bool vectors)
{
    using Op = op_of<Scan, T>;
    using Acc = typename Op::acc;
    using Block = block_scan<T, Scan, Threads, Vecs>;
    __shared__ Acc totals[Threads / 32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    /* As many rows as the line needs, so that warps share evenly. */
    const int rows = (axis + Threads * kVec<T> - 1) / (Threads * kVec<T>);
    const int at = warp * rows * Block::kStep + lane * kVec<T>;
    const unsigned zero = hidden_zero();

    for (int64_t line = blockIdx.x; line < lines; line += gridDim.x) {
        const T *x = in + line * axis;
        const uint8_t *m = mask + line * axis;
        T *y = out + line * axis;
        int head = 0;
        if (vectors)
            head = min(axis, (int)(-((uintptr_t)x / sizeof(T)) % kVec<T>));
        x += head, m += head, y += head;
        const int elems = axis - head;
        const int end = min(elems, (warp + 1) * rows * Block::kStep);

        /* load */
        uint4 r[Vecs];
        load_part<Op, Scan::masked, false>(x, m, at, end, vectors, r);

        Acc before[Vecs], total;
        Acc carry = Block::prefixes(r, before, totals, &total);
        if (head > 0) {
            const Acc sum = scan_head<T, Scan>(
                x - head, m - head, threadIdx.x ? NULL : y - head, head,
                Scan::reverse ? total : Op::identity());
            if constexpr (!Scan::reverse)
                carry = Op::combine(sum, carry);
        }

        /* store; the partial vector at the line's end comes last */
        uint4 part = {};
        const int part_at = end - end % kVec<T>;
#pragma unroll
        for (int j = 0; j < Vecs; ++j) {
            const int place = at + j * Block::kStep;
            const uint4 words =
                Block::scan_words(r[j], Op::combine(carry, before[j]), zero);
            if (!vectors)
                store_singly(y, place, end, words);
            else if (place + kVec<T> <= end)
                __stcs((uint4 *)(y + place), words);
            if (place == part_at)
                part = words;
        }
        if (vectors && part_at >= at && (part_at - at) % Block::kStep == 0)
            store_singly(y, part_at, end, part);
        __syncthreads(); /* totals may be written again */
    }
}

/* As many blocks per SM as leave a thread the registers of its line, and as
 * many again to compute with. */
template <class T, int Threads, int Items>
constexpr int kBlocks = 65536 / Threads /
                        (kTileVectors<T, Items> * 4 <= 8    ? 32
                         : kTileVectors<T, Items> * 4 <= 16 ? 56
                         : kTileVectors<T, Items> * 4 <= 32 ? 64
                                                            : 128);

template <int Threads, int Items>
static int launch(const struct problem *p, void *stream)
{
    return dispatch_scan(p, [&]<class T, class Scan>(tag<T>, Scan) -> int {
        constexpr int kLaneVecs = kTileVectors<T, Items>;
        constexpr int kFit = kBlocks<T, Threads, Items>;
        const int64_t lines = shape_lines(p->shape), axis = p->shape.axis;
        const bool vectors = same_boundaries(p);
        const bool whole = vectors && (uintptr_t)p->in % 16 == 0 &&
                           grid_x(lines) == lines &&
                           axis == Threads * kLaneVecs * kVec<T>;
        if (whole)
            return launch_kernel(whole_lines<T, Scan, Threads, kLaneVecs, kFit>,
                                 lines, Threads, 0, stream, p->in, p->mask,
                                 p->out);
        return launch_kernel(
            block_per_line_registers<T, Scan, Threads, kLaneVecs, kFit>, lines,
            Threads, 0, stream, p->in, p->mask, p->out, lines, (int)axis,
            vectors);
    });
}

template <int Threads, int Items>
static const char *refuses(const struct problem *p)
{
    if (p->shape.inner != 1)
        return "serves contiguous lines only (inner = 1)";
    if (p->shape.axis > Threads * Items / (dtype_bytes(p->dtype) == 8 ? 2 : 1))
        return "the line does not fit in the block's registers";
    return NULL;
}

#define POINT(threads, items)                                                  \
    {                                                                          \
        .name = "block_per_line_registers_b" #threads "_i" #items,             \
        .idea = "one block holds the whole line in registers",                 \
        .runs_on = DEVICE_CUDA, .ops = scans(), .passes = 1,                   \
        .error_growth = ERROR_TILED, .error_tile = 1024,                       \
        .deterministic = true, .refuses = refuses<threads, items>,             \
        .launch = launch<threads, items>                                       \
    }

VARIANTS(scan__block_per_line_registers) = {
    POINT(128, 8),
    POINT(512, 8),
    {},
};
