/* SPDX-License-Identifier: MIT
 *
 * Idea     One kernel walks the tensor in steps, a tile to each of its blocks,
 *          and the L2 holds several steps. In each a block sums one tile, and
 *          scans the one that it summed a step or two before (a1, a2), read
 *          again from the L2. In between all blocks meet; one warp of each
 *          waits for that, while the others load.
 * Against  reduce_then_scan: there the whole tensor is summed before any of it
 *          is scanned, and comes from memory twice. decoupled_lookback: nobody
 *          looks back here, and the bits are the same every time; but all
 *          blocks keep step, and the L2 delivers the tensor once more, if it
 *          still has it: the hardware's counters say how much of it.
 * Traffic  2N elements and a word a tile (passes = 1), and N again, from the L2
 *          if it still has them; not these N where a line is one tile, which
 *          needs no carry.
 * Needs    inner == 1, and lines that are not both short and many; an L2 that
 *          holds the steps, and shared memory for two tiles a block. A
 *          cooperative launch: the runtime sees to it that all blocks are
 *          resident.
 * Source   none.
 */
#include "variants/delays.cuh"
#include "variants/scan/look_back.cuh"
#include "variants/scan/raw_tile.cuh"

/* What is where. Step s has the tiles, numbered in walk order, from
 * s * gridDim.x on, one a block. */
template <class T>
struct layout {
    const T *in;
    const uint8_t *mask;
    T *out;
    unsigned *arrived; /* of each step: blocks that have summed their tile */
    acc_t<T> *sums;    /* of each tile */
    struct tiling t;
};

/* A tile: its places [begin, end) are of the line, and of these whole vectors
 * [bulk_begin, bulk_end) are had by one access each. */
struct part {
    int64_t first;
    int begin, end, bulk_begin, bulk_end;
};

/* Past the last tile: nothing. */
template <bool Reverse, int Tile>
__device__ __forceinline__ struct part part_of(const struct tiling &t,
                                               int64_t number)
{
    if (number >= t.lines * t.line_tiles)
        return {};
    const struct tile_place p = place_of<Reverse, Tile>(t, number);
    return { p.first, (int)(p.part.begin - p.first),
             (int)(p.part.end - p.first), (int)(p.part.bulk_begin - p.first),
             (int)(p.part.bulk_end - p.first) };
}

__device__ __forceinline__ bool whole(const struct part &p, int place)
{
    return place >= p.bulk_begin && place < p.bulk_end;
}

/* So many bytes to shared memory, some time before wait_for_older() ends. */
template <int Bytes>
__device__ __forceinline__ void copy_kept(void *to, const void *from,
                                          uint64_t policy)
{
    const unsigned at = (unsigned)__cvta_generic_to_shared(to);
    if constexpr (Bytes == 16)
        asm volatile(
            "cp.async.cg.shared.global.L2::cache_hint [%0], [%1], 16, %2;" ::
                "r"(at),
            "l"(from), "l"(policy)
            : "memory");
    else
        asm volatile("cp.async.ca.shared.global.L2::cache_hint [%0], [%1], %2, "
                     "%3;" ::"r"(at),
                     "l"(from), "n"(Bytes), "l"(policy)
                     : "memory");
}

/* Until all that this warp has asked for is there, but for the last group. */
__device__ __forceinline__ void wait_for_older(void)
{
    asm volatile("cp.async.wait_group 1;" ::: "memory");
    __syncwarp(); /* masks may have been asked for by a neighbour */
}

/* A tile in shared memory, behind it its mask. A thread reads what it has
 * asked for itself: the vectors at `at`, 32 vectors on, …. */
template <class T, bool Masked, int Vecs>
struct slot {
    using Raw = raw<T, kVec<T>>;
    using Bits = raw_bits_t<raw_mask<kVec<T>>>;
    static constexpr int kRow = 32 * kVec<T>;
    T *x;
    uint8_t *m;

    /* Asks for all, as a group. What is not of the line becomes 0. */
    __device__ __forceinline__ void
    ask(const layout<T> &l, const struct part &p, int at, uint64_t policy) const
    {
        /* There are no copies of two bytes: lanes with even numbers ask for
         * their neighbours' masks. */
        constexpr int kMaskBytes = kVec<T> < 4 ? 4 : kVec<T>;
        const T *in = l.in + p.first;
        const uint8_t *mask = l.mask + p.first;
        bool all = true;
#pragma unroll
        for (int j = 0; j < Vecs; ++j) {
            const int place = at + j * kRow;
            const bool take = whole(p, place);
            if (take)
                copy_kept<16>(x + place, in + place, policy);
            if (Masked && take && at % kMaskBytes == 0)
                copy_kept<kMaskBytes>(m + place, mask + place, policy);
            all = all && take;
        }
        asm volatile("cp.async.commit_group;" ::: "memory");
        if (all)
            return;
#pragma unroll 1
        for (int place = at; place < at + Vecs * kRow; place += kRow) {
            if (whole(p, place))
                continue;
            Raw part;
            raw_mask<kVec<T>> part_mask;
#pragma unroll
            for (int k = 0; k < kVec<T>; ++k) {
                const int e = place + k;
                const bool inside = e >= p.begin && e < p.end;
                part.item[k] = inside ? in[e] : from_acc<T>(0);
                part_mask.item[k] = Masked && inside ? mask[e] : 0;
            }
            raw_write_shared(x + place, part);
            if (Masked)
                *(Bits *)(m + place) = __builtin_bit_cast(Bits, part_mask);
        }
    }

    /* One of them, less what is masked off. */
    __device__ __forceinline__ Raw take(int place) const
    {
        uint4 words = *(const uint4 *)(x + place);
        if constexpr (Masked)
            words = raw_where<T>(words, *(const Bits *)(m + place));
        return __builtin_bit_cast(Raw, words);
    }
};

template <class Acc>
__device__ __forceinline__ Acc warp_sum(Acc sum)
{
#pragma unroll
    for (int apart = 16; apart > 0; apart /= 2)
        sum += __shfl_xor_sync(kWholeWarp, sum, apart);
    return sum;
}

/* ------------------------------------------------------- the grid's barrier */

/* By one thread: what it has written is seen by all that wait. */
__device__ __forceinline__ void arrive(unsigned *arrived)
{
    delay();
    asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(arrived)
                 : "memory");
}

/* By a warp, until so many have arrived. */
__device__ __forceinline__ void await(const unsigned *arrived, unsigned blocks)
{
    unsigned count = blocks;
    do {
        delay();
        if (threadIdx.x % 32 == 0)
            asm volatile("ld.acquire.gpu.global.u32 %0, [%1];"
                         : "=r"(count)
                         : "l"(arrived)
                         : "memory");
    } while (__any_sync(kWholeWarp, count < blocks));
    __syncwarp(); /* a vote alone orders no memory */
}

/* The sum of what comes before this block's tile in its line. *carry is that
 * of the step's first tile, and becomes that of the next step's. Everything is
 * added in the same order always. By a warp. */
template <int Batch, class Acc>
__device__ __forceinline__ Acc tiles_before(const Acc *sums,
                                            const struct tiling &t,
                                            int64_t step, Acc *carry)
{
    const int64_t first = step * gridDim.x;
    const int64_t tile = first + blockIdx.x, next = first + gridDim.x;
    /* How many tiles after the step's first their lines begin. */
    const int64_t mine = tile_divide(tile, t.line_tiles) * t.line_tiles - first;
    const int64_t then = tile_divide(next, t.line_tiles) * t.line_tiles - first;
    const int64_t left = t.lines * t.line_tiles - first;
    const int count = left < gridDim.x ? (int)left : (int)gridDim.x;

    Acc before = 0, onward = 0;
    for (int at = threadIdx.x % 32; at < count; at += 32 * Batch) {
        Acc sum[Batch];
#pragma unroll
        for (int k = 0; k < Batch; ++k)
            sum[k] = at + 32 * k < count ? __ldcg(sums + first + at + 32 * k)
                                         : Acc(0);
#pragma unroll
        for (int k = 0; k < Batch; ++k) {
            const int place = at + 32 * k;
            if (place >= mine && place < (int)blockIdx.x)
                before += sum[k];
            if (place >= then)
                onward += sum[k];
        }
    }
    before = warp_sum(before) + (mine < 0 ? *carry : Acc(0));
    *carry = warp_sum(onward) + (then < 0 ? *carry : Acc(0));
    return before;
}

/* ----------------------------------------------------------------- kernel */

/* Blocks that an SM has room for, at 64 registers a thread. */
template <int Threads>
constexpr int kBlocks = 1024 / Threads;

/* Shared memory of a block: the tile that is summed next, and the one that is
 * scanned next. */
template <class T, bool Masked, int Threads, int Vecs>
constexpr int kSlotBytes = (Threads - 32) * Vecs *(16 + (Masked ? kVec<T> : 0));

/* Steps from the one whose tile is stored to the last whose part is known. */
constexpr int kParts = 8;

/* All warps but the last work on tiles. Ahead: steps from a tile's sum to its
 * scan. */
template <class T, class Scan, int Threads, int Vecs, int Ahead>
static __global__ void __launch_bounds__(Threads, kBlocks<Threads>)
    reduce_then_scan_in_cache(const layout<T> l)
{
    using Acc = acc_t<T>;
    using Slot = slot<T, Scan::masked, Vecs>;
    using Meet = counting_barrier<Threads>;
    constexpr int kWarps = Threads / 32 - 1, kRow = Slot::kRow;
    constexpr int kTile = kWarps * Vecs * kRow;
    constexpr int kBytes = kSlotBytes<T, Scan::masked, Threads, Vecs>;
    static_assert(Ahead + 4 <= kParts);
    extern __shared__ uint4 slots[];
    /* Two sets by turns: one barrier a turn. */
    __shared__ Acc sums[2][kWarps], totals[2][kWarps], carries[2];
    __shared__ struct part parts[kParts]; /* of steps, by turns */
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int64_t tiles = l.t.lines * l.t.line_tiles;
    const int64_t steps = ceil_div(tiles, gridDim.x);
    const int ahead = l.t.line_tiles > 1 ? Ahead : 0; /* 0: no sums needed */

    if (warp == kWarps) { /* spine */
        const auto tell = [&](int64_t step) {
            const int64_t tile = step * gridDim.x + blockIdx.x;
            if (lane == 0)
                parts[step % kParts] = part_of<Scan::reverse, kTile>(l.t, tile);
        };
        Acc carry = 0;
        tell(0);
        tell(1);
        __syncwarp();
        Meet::wait();
        for (int64_t turn = 0; turn < steps + ahead; ++turn) {
            Acc before = 0;
            if (ahead && turn >= ahead) {
                await(l.arrived + (turn - ahead), gridDim.x);
                before = tiles_before<5 * kBlocks<Threads>>(
                    l.sums, l.t, turn - ahead, &carry);
            }
            tell(turn + 2);
            if (lane == 0)
                carries[turn % 2] = before;
            __syncwarp();
            Meet::wait();
            if (ahead && turn < steps) {
                const int64_t tile = turn * gridDim.x + blockIdx.x;
                const Acc sum =
                    warp_sum(lane < kWarps ? sums[turn % 2][lane] : Acc(0));
                if (lane == 0 && tile < tiles)
                    __stcg(l.sums + tile, sum);
                if (lane == 0)
                    arrive(l.arrived + turn);
            }
        }
        return;
    }

    const Slot next = { (T *)slots, (uint8_t *)slots + kTile * sizeof(T) };
    const Slot now = { (T *)((uint8_t *)slots + kBytes),
                       (uint8_t *)slots + kBytes + kTile * sizeof(T) };
    const int at = warp * Vecs * kRow + lane * kVec<T>; /* in a tile */
    const uint64_t keep = evict_last_policy();
    const auto part_at = [&](int64_t step) {
        return step < 0 ? part{} : parts[step % kParts];
    };
    Meet::wait();
    next.ask(l, part_at(ahead ? 0 : -1), at, keep);
    struct part p = part_at(-ahead);
    now.ask(l, p, at, keep);
    for (int64_t turn = 0; turn < steps + ahead; ++turn) {
        /* the sum of a tile, for later; and the next one is asked for */
        wait_for_older();
        Acc sum = 0;
#pragma unroll
        for (int j = 0; j < Vecs; ++j)
            sum += raw_sum(next.take(at + j * kRow));
        sum = warp_sum(sum);
        if (lane == 0)
            sums[turn % 2][warp] = sum;
        next.ask(l, part_at(ahead ? turn + 1 : -1), at, keep);

        /* upsweep of the one that has been summed before */
        wait_for_older();
        Acc before[Vecs], total = 0;
#pragma unroll
        for (int step = 0; step < Vecs; ++step) {
            const int j = Scan::reverse ? Vecs - 1 - step : step;
            const auto x = now.take(at + j * kRow);
            if (Scan::masked)
                raw_write_shared(now.x + at + j * kRow, x);
            Acc row_total;
            before[j] =
                total + warp_prefix<Scan::reverse>(raw_sum(x), &row_total);
            total += row_total;
        }

        /* spine: of the block's warps; the last one brings the tiles' */
        Acc tile_total;
        const Acc carry = warps_prefix<Scan::reverse, kWarps * 32, Meet>(
                              total, totals[turn % 2], &tile_total) +
                          carries[turn % 2];

        /* downsweep, store */
        T *out = l.out + p.first;
#pragma unroll
        for (int j = 0; j < Vecs; ++j) {
            const int place = at + j * kRow;
            auto x = raw_read<typename Slot::Raw>(now.x + place);
            raw_scan<Scan>(x, carry + before[j]);
            if (whole(p, place)) {
                raw_write_first(out + place, __builtin_bit_cast(uint4, x));
                continue;
            }
#pragma unroll
            for (int k = 0; k < kVec<T>; ++k)
                if (place + k >= p.begin && place + k < p.end)
                    out[place + k] = x.item[k];
        }
        p = part_at(turn + 1 - ahead);
        now.ask(l, p, at, keep);
    }
}

/* -------------------------------------------------------------------- host */

/* Vectors of a tile: a thread has as many as `Items` floats take. */
template <int Threads, int Items>
constexpr int kVectors = (Threads - 32) * Items / 4;

static int64_t tile_bytes(const struct problem *p, int vectors)
{
    return (int64_t)vectors *
           (16 + (p->op == OP_MASKED_CUMSUM ? 16 / dtype_bytes(p->dtype) : 0));
}

/* Blocks to a multiprocessor: as many as fit on it, but so few that two thirds
 * of the L2 hold all steps; what is written passes through it, too. */
template <int Threads, int Items, int Ahead>
static int64_t blocks_per_sm(const struct problem *p)
{
    constexpr int64_t kOtherBytes = 4096; /* of shared memory, a block */
    const struct device_facts *device = p->device;
    const int64_t tile = tile_bytes(p, kVectors<Threads, Items>);
    const int64_t most[] = {
        kBlocks<Threads>, device->max_threads_per_sm / Threads,
        device->shared_per_sm_bytes / (2 * tile + kOtherBytes),
        device->l2_bytes * 2 / 3 / ((Ahead + 1) * tile * (device->sm_count + 1))
    };
    int64_t blocks = most[0];
    for (int64_t one : most)
        blocks = one < blocks ? one : blocks;
    return blocks;
}

template <int Threads, int Items, int Ahead>
static int64_t blocks_of(const struct problem *p, int64_t tiles)
{
    const int64_t blocks =
        blocks_per_sm<Threads, Items, Ahead>(p) * p->device->sm_count;
    return blocks < 1 ? 1 : blocks < tiles ? blocks : tiles;
}

/* The barriers of so many steps, in front of the sums. */
static size_t barrier_bytes(int64_t steps)
{
    return (size_t)ceil_div(steps * (int64_t)sizeof(unsigned), 256) * 256;
}

template <int Threads, int Items, int Ahead>
static int launch(const struct problem *p, void *stream)
{
    return dispatch_scan(p, [&](auto type, auto scan) -> int {
        using T = typename decltype(type)::type;
        using Scan = decltype(scan);
        constexpr int kVecs = Items / 4;
        const auto kernel =
            reduce_then_scan_in_cache<T, Scan, Threads, kVecs, Ahead>;
        const int bytes = 2 * kSlotBytes<T, Scan::masked, Threads, kVecs>;
        int error = bulk_room(kernel, bytes);
        const struct tiling t = tiling_of(p, kVectors<Threads, Items>);
        const int64_t tiles = t.lines * t.line_tiles;
        const int64_t blocks = blocks_of<Threads, Items, Ahead>(p, tiles);
        const size_t barriers = barrier_bytes(ceil_div(tiles, blocks));
        if (error == cudaSuccess && t.line_tiles > 1)
            error = cudaMemsetAsync(p->workspace, 0, barriers,
                                    (cudaStream_t)stream);
        if (error != cudaSuccess)
            return error;

        const layout<T> l = { (const T *)p->in,
                              p->mask,
                              (T *)p->out,
                              (unsigned *)p->workspace,
                              (acc_t<T> *)((char *)p->workspace + barriers),
                              t };
        cudaLaunchAttribute together = {};
        together.id = cudaLaunchAttributeCooperative;
        together.val.cooperative = 1;
        cudaLaunchConfig_t config = {};
        config.gridDim = (unsigned)blocks;
        config.blockDim = Threads;
        config.dynamicSmemBytes = (size_t)bytes;
        config.stream = (cudaStream_t)stream;
        config.attrs = &together;
        config.numAttrs = 1;
        const cudaError_t launched = cudaLaunchKernelEx(&config, kernel, l);
        return launched != cudaSuccess ? launched : cudaGetLastError();
    });
}

/* As many as any pointers need: here they may be NULL. */
template <int Threads, int Items, int Ahead>
static size_t workspace_bytes(const struct problem *p)
{
    const int64_t tile =
        kVectors<Threads, Items> * 16 / (int64_t)dtype_bytes(p->dtype);
    const int64_t tiles =
        shape_lines(p->shape) * ceil_div(p->shape.axis + kGrain - 1, tile);
    const int64_t blocks = blocks_of<Threads, Items, Ahead>(p, tiles);
    return barrier_bytes(ceil_div(tiles, blocks)) +
           (size_t)tiles * sizeof(double);
}

template <int Threads, int Items, int Ahead>
static const char *refuses(const struct problem *p)
{
    if (p->shape.inner != 1)
        return "serves contiguous lines only (inner = 1)";
    if (p->shape.axis < kShortest && shape_lines(p->shape) > kShortest)
        return "a tile for each of many short lines would be idle; "
               "row_tile_lookback serves them";
    if (p->device && blocks_per_sm<Threads, Items, Ahead>(p) < 1)
        return "a tile for each multiprocessor does not fit in the shared "
               "memories or, with those of the steps ahead, in the L2";
    return NULL;
}

/* A tile of doubles is half as long, and the bound must hold for it too. */
#define POINT(threads, items, ahead)                                           \
    {                                                                          \
        .name =                                                                \
            "reduce_then_scan_in_cache_b" #threads "_i" #items "_a" #ahead,    \
        .idea =                                                                \
            "sums a step ahead of the scan, which rereads, meant from the L2", \
        .runs_on = DEVICE_CUDA, .ops = OPS_SCAN, .dtypes = DTYPES_ALL,         \
        .passes = 1, .error_growth = ERROR_TILED,                              \
        .error_tile = (threads - 32) * items / 2, .deterministic = true,       \
        .refuses = refuses<threads, items, ahead>,                             \
        .workspace_bytes = workspace_bytes<threads, items, ahead>,             \
        .launch = launch<threads, items, ahead>                                \
    }

VARIANTS(scan__reduce_then_scan_in_cache) = {
    POINT(512, 16, 1),
    POINT(512, 16, 2),
    POINT(512, 8, 2),
    {},
};
