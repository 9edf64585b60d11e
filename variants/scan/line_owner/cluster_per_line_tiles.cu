/* SPDX-License-Identifier: MIT
 *
 * Idea     A cluster of blocks walks one line: each step, its blocks hold
 *          pieces side by side in their registers and send their sums into
 *          each other's shared memory. Every block adds up the same carry.
 * Against  block_per_line: a line is walked in steps that are several times as
 *          long by fewer walkers, and the GPU reads from fewer places at a
 *          time. decoupled_lookback: no flags in memory and
 *          the same bits every time, but few lines leave most of the GPU idle.
 * Traffic  2N elements: the compulsory minimum (passes = 1).
 * Needs    inner == 1; compute capability 9.0. Lines off 16-byte boundaries
 *          keep their 16-byte accesses if in, out and mask are off by the same.
 * Source   none.
 * Lesson   A cluster walks a line in longer steps and exchanges carries without
 *          global memory.
 */
#include "variants/common/access/l2_hints.cuh"
#include "variants/common/collective/cluster_exchange.cuh"
#include "variants/common/kernel.cuh"

/* Sums in flight, double-buffered: a block may be one step ahead of another,
 * but never two, as it needs the other's sum. The sums of the blocks before
 * this one have a barrier of their own, since the stores need no others. */
template <class Acc, int Blocks>
struct mailbox {
    Acc sums[2][Blocks];
    uint64_t before[2], after[2];
};

/* A phase without bytes would end before all threads have left the previous
 * one: it is not begun, and no thread waits for it. */
template <class Acc, int Blocks>
__device__ __forceinline__ void mailbox_expect(mailbox<Acc, Blocks> *box,
                                               int turn, int rank)
{
    if (rank > 0)
        bulk_expect(&box->before[turn], rank * (unsigned)sizeof(Acc));
    if (rank < Blocks - 1)
        bulk_expect(&box->after[turn],
                    (Blocks - 1 - rank) * (unsigned)sizeof(Acc));
}

/* Loads vectors at at, at + step, … as words: conversion on load would wait for
 * each, and would double the registers of halves. All loads of x, then of the
 * mask, are issued before the first use. Whole: none lies beyond `end`. Loads
 * and stores have L2 eviction hints: see l2_hints.cuh. */
template <class Op, bool Masked, bool Whole, int Vecs, class T>
__device__ __forceinline__ void load_vectors(const T *__restrict__ in,
                                             const uint8_t *__restrict__ mask,
                                             int at, int end, uint4 (&r)[Vecs])
{
    constexpr int kStep = 32 * kVec<T>;
    const uint64_t policy = evict_last_policy();
    mask_word<T> m[Vecs];
#pragma unroll
    for (int j = 0; j < Vecs; ++j) {
        if constexpr (!Whole)
            r[j] = pad_words<Op, uint4>();
        if (Whole || at + j * kStep + kVec<T> <= end)
            r[j] = read_kept((const uint4 *)(in + at + j * kStep), policy);
    }
    if constexpr (Masked) {
#pragma unroll
        for (int j = 0; j < Vecs; ++j) {
            m[j] = 0;
            if (Whole || at + j * kStep + kVec<T> <= end)
                m[j] = *(const mask_word<T> *)(mask + at + j * kStep);
        }
#pragma unroll
        for (int j = 0; j < Vecs; ++j)
            r[j] = select<Op>(r[j], m[j]);
    }
    if constexpr (!Whole) {
        const int last = end - end % kVec<T>; /* start of a partial vector */
        if (last < end && last >= at && (last - at) % kStep == 0) {
            const uint4 part = load_words<Op, Masked>(in, mask, last, end);
#pragma unroll
            for (int j = 0; j < Vecs; ++j)
                if (at + j * kStep == last)
                    r[j] = part;
        }
    }
}

/* The elements before the first 16-byte boundary, fewer than a vector. Returns
 * their reduction and, unless `out` is NULL, stores their scan. */
template <class T, class Scan>
__device__ __forceinline__ acc_of<Scan, T>
scan_head(const T *__restrict__ in, const uint8_t *__restrict__ mask, T *out,
          int head, acc_of<Scan, T> carry)
{
    using Op = op_of<Scan, T>;
    acc_of<Scan, T> v[kVec<T>];
    load_singly<Op, Scan::masked>(in, mask, 0, head, v);
    const acc_of<Scan, T> sum = items_reduce<Op, Scan::reverse>(v);
    items_scan<Scan, Op>(v, carry);
    if (out)
        for (int k = 0; k < head; ++k)
            out[k] = Op::lower(v[k]);
    return sum;
}

/* A line's vectors in a block: a warp owns `rows` * 32 consecutive ones, and
 * vector j of a lane lies 32 vectors after its vector j - 1, so that each
 * access covers 512 contiguous bytes. */
template <class T, class Scan, int Threads, int Vecs>
struct block_scan {
    using Op = op_of<Scan, T>;
    using Acc = typename Op::acc;
    static constexpr int kStep = 32 * kVec<T>;

    /* upsweep and spine: *total is the line's reduction, before[j] the
     * exclusive prefix of vector j in its warp, in walk order. Returns that of
     * the warp. */
    static __device__ __forceinline__ Acc prefixes(const uint4 (&r)[Vecs],
                                                   Acc (&before)[Vecs],
                                                   Acc *totals, Acc *total)
    {
        Acc warp_total = Op::identity();
#pragma unroll
        for (int step = 0; step < Vecs; ++step) {
            const int j = Scan::reverse ? Vecs - 1 - step : step;
            Acc v[kVec<T>], row_total;
            to_items<Op>(r[j], v);
            before[j] =
                Op::combine(warp_total, warp_prefix<Op, Scan::reverse>(
                                            items_reduce<Op, Scan::reverse>(v),
                                            &row_total));
            warp_total = Op::combine(warp_total, row_total);
        }
        return warps_prefix<Op, Scan::reverse, Threads>(warp_total, totals,
                                                        total);
    }

    /* downsweep of one vector */
    static __device__ __forceinline__ uint4 scan_words(uint4 words, Acc carry,
                                                       unsigned zero)
    {
        Acc v[kVec<T>];
        if constexpr (is_half<T>)
            forget(words, zero);
        to_items<Op>(words, v);
        items_scan<Scan, Op>(v, carry);
        return to_words<Op>(v);
    }
};

/* Loads a block's piece of `elems` elements. */
template <class T, class Scan, int Threads, int Vecs, bool Whole>
__device__ __forceinline__ void
load_piece(const T *__restrict__ in, const uint8_t *__restrict__ mask, int at,
           int elems, bool vectors, uint4 (&r)[Vecs])
{
    using Op = op_of<Scan, T>;
    if (Whole) {
        if (elems)
            load_vectors<Op, Scan::masked, true>(in, mask, at,
                                                 Threads * Vecs * kVec<T>, r);
    } else if (vectors) {
        load_vectors<Op, Scan::masked, false>(in, mask, at, elems, r);
    } else {
#pragma unroll
        for (int j = 0; j < Vecs; ++j)
            r[j] = load_words<Op, Scan::masked>(in, mask, at + j * 32 * kVec<T>,
                                                elems);
    }
}

/* Scans and stores the vectors of a piece. */
template <class T, class Scan, int Threads, int Vecs, bool Whole>
__device__ __forceinline__ void
store_piece(T *y, const uint4 (&r)[Vecs], const acc_of<Scan, T> (&before)[Vecs],
            acc_of<Scan, T> base, int at, int elems, bool vectors,
            unsigned zero)
{
    using Op = op_of<Scan, T>;
    using Block = block_scan<T, Scan, Threads, Vecs>;
#pragma unroll
    for (int j = 0; j < Vecs; ++j) {
        const int place = at + j * Block::kStep;
        const uint4 words =
            Block::scan_words(r[j], Op::combine(base, before[j]), zero);
        if (Whole ? elems > 0 : vectors && place + kVec<T> <= elems)
            __stcs((uint4 *)(y + place), words);
        else if (!Whole)
            store_words(y, place, elems, words);
    }
}

/* Sends this block's sum to all others, and returns `carry` with the sums of
 * the blocks before it. */
template <class Op, class Acc, int Blocks>
__device__ __forceinline__ Acc exchange(mailbox<Acc, Blocks> *box,
                                        unsigned turn, unsigned parity,
                                        int rank, Acc total, Acc carry)
{
    if ((int)threadIdx.x < Blocks && (int)threadIdx.x != rank)
        send_sum(threadIdx.x, &box->sums[turn][rank], total,
                 rank < (int)threadIdx.x ? &box->before[turn]
                                         : &box->after[turn]);
    if (rank > 0)
        bulk_wait(&box->before[turn], parity);
    for (int k = 0; k < rank; ++k)
        carry = Op::combine(carry, box->sums[turn][k]);
    return carry;
}

/* Combines the carry with the sums of this block and of those after it, and
 * opens the turn again. Every block waits for all its peers' sums: none exits
 * while a peer may write to it. */
template <class Op, class Acc, int Blocks>
__device__ __forceinline__ Acc end_exchange(mailbox<Acc, Blocks> *box,
                                            unsigned turn, unsigned parity,
                                            int rank, Acc total, Acc carry)
{
    if (rank < Blocks - 1)
        bulk_wait(&box->after[turn], parity);
    carry = Op::combine(carry, total);
    for (int k = rank + 1; k < Blocks; ++k)
        carry = Op::combine(carry, box->sums[turn][k]);
    if (threadIdx.x == 0)
        mailbox_expect(box, (int)turn, rank);
    return carry;
}

template <class Acc, int Blocks>
__device__ __forceinline__ void open_mailbox(mailbox<Acc, Blocks> *box,
                                             int rank)
{
    if (threadIdx.x == 0) {
        for (int turn = 0; turn < 2; ++turn) {
            bulk_init(&box->before[turn], 1);
            bulk_init(&box->after[turn], 1);
            mailbox_expect(box, turn, rank);
        }
        cluster_barriers_ready();
    }
    __syncwarp();
    cluster_arrive(); /* others may write here */
}

/* A line's pieces begin at its first 16-byte boundary; before it comes its
 * head, which every block sums and the last one writes. Whole: there is no
 * head, and every piece is full. (In a kernel of its own, for the registers.)
 */
template <class T, class Scan, int Threads, int Vecs, int Blocks, bool Whole>
static __global__ void __launch_bounds__(Threads,
                                         (Vecs > 8 ? 512 : 1024) / Threads)
    cluster_per_line_tiles(const T *__restrict__ in,
                           const uint8_t *__restrict__ mask,
                           T *__restrict__ out, int64_t lines, int64_t axis,
                           bool vectors)
{
    TAG(fast, Whole);
#if HAS_BULK_COPY
    using Op = op_of<Scan, T>;
    using Acc = typename Op::acc;
    using Block = block_scan<T, Scan, Threads, Vecs>;
    constexpr int kElems = Threads * Vecs * kVec<T>;
    /* Registers are short: the position is computed again. */
    constexpr bool kShort = Whole && sizeof(T) == 8 && Scan::masked;
    static_assert(!kShort || !Scan::reverse);
    __shared__ Acc totals[2][Threads / 32]; /* two: one barrier per step */
    __shared__ mailbox<Acc, Blocks> box;
    const int rank = (int)cluster_rank(); /* in walk order */
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int at = warp * Vecs * Block::kStep + lane * kVec<T>;
    const unsigned zero = hidden_zero();

    open_mailbox(&box, rank);
    bool started = false;
    unsigned turn = 0, parity = 0;

    for (int64_t line = blockIdx.x / Blocks; line < lines;
         line += gridDim.x / Blocks) {
        const int64_t begin = line * axis;
        int head = 0;
        if (!Whole && vectors) {
            head = (int)(-((uintptr_t)(in + begin) / sizeof(T)) % kVec<T>);
            head = head < axis ? head : (int)axis;
        }
        Acc carry = Op::identity();
        if (!Whole && !Scan::reverse && head > 0)
            carry = scan_head<T, Scan>(in + begin, mask + begin,
                                       threadIdx.x || rank ? NULL : out + begin,
                                       head, Op::identity());

        const int64_t pieces = ceil_div(axis - head, kElems);
        for (int64_t first = 0; first < pieces; first += Blocks) {
            /* load */
            const int64_t step = first + rank;
            const int64_t piece = Scan::reverse ? pieces - 1 - step : step;
            const int64_t start = begin + head + piece * kElems;
            const int elems =
                step >= pieces ? 0
                : Whole        ? kElems
                        : (int)min(begin + axis - start, (int64_t)kElems);
            uint4 r[Vecs];
#pragma unroll
            for (int j = 0; j < Vecs; ++j)
                r[j] = pad_words<Op, uint4>();
            load_piece<T, Scan, Threads, Vecs, Whole>(in + start, mask + start,
                                                      at, elems, vectors, r);

            /* upsweep, spine */
            Acc before[Vecs], total;
            const Acc in_block =
                Block::prefixes(r, before, totals[turn], &total);
            if (kShort ? first == 0 && line == blockIdx.x / Blocks : !started)
                cluster_wait();
            started = true;
            carry = exchange<Op>(&box, turn, parity, rank, total, carry);
            const Acc base = Op::combine(carry, in_block);

            /* downsweep, store */
            T *y = out + start;
            if (kShort)
                y = out + forget(line) * axis + (forget(first) + rank) * kElems;
            store_piece<T, Scan, Threads, Vecs, Whole>(y, r, before, base, at,
                                                       elems, vectors, zero);

            carry = end_exchange<Op>(&box, turn, parity, rank, total, carry);
            parity ^= turn;
            turn ^= 1;
        }

        if (!Whole && Scan::reverse && head > 0)
            scan_head<T, Scan>(in + begin, mask + begin,
                               threadIdx.x || rank ? NULL : out + begin, head,
                               carry);
    }
    if (kShort ? blockIdx.x / Blocks >= lines : !started)
        cluster_wait();
#endif
}

template <int Blocks, int Threads, int Items>
static int launch(const struct problem *p, void *stream)
{
    return dispatch_scan(p, [&]<class T, class Scan>(tag<T>, Scan) -> int {
        constexpr int kLaneVecs = kTileVectors<T, Items>;
        constexpr int kBlocks = sizeof(T) == 8 ? 2 * Blocks : Blocks;
        const int64_t lines = shape_lines(p->shape), axis = p->shape.axis;
        const bool vectors = same_boundaries(p);
        const bool whole = vectors && (uintptr_t)p->in % 16 == 0 &&
                           axis % (Threads * kLaneVecs * kVec<T>) == 0;
        return cluster_launch(
            whole ? cluster_per_line_tiles<T, Scan, Threads, kLaneVecs, kBlocks,
                                           true>
                  : cluster_per_line_tiles<T, Scan, Threads, kLaneVecs, kBlocks,
                                           false>,
            lines, kBlocks, Threads, 0, stream, (const T *)p->in, p->mask,
            (T *)p->out, lines, axis, vectors);
    });
}

static const char *refuses(const struct problem *p)
{
    const char *lacking = bulk_lacking(p);
    return lacking ? lacking : contiguous_only(p);
}

/* c: blocks in a cluster. Elements of 8 bytes have twice as many, as their
 * pieces have half the elements; the bound holds for them, too. */
#define POINT(blocks, threads, items)                                          \
    {                                                                          \
        .name = "cluster_per_line_tiles_c" #blocks "_b" #threads "_i" #items,  \
        .idea = "a cluster walks a line, its blocks side by side",             \
        ON_CUDA(scans(), 1), ERROR_OF_TILES(threads * items / 2),              \
        .deterministic = true, .refuses = refuses,                             \
        .launch = launch<blocks, threads, items>                               \
    }

VARIANTS(scan__cluster_per_line_tiles) = {
    POINT(2, 256, 64),
    {},
};
