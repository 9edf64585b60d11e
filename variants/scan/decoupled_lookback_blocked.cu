/* SPDX-License-Identifier: MIT
 *
 * Idea     Each lane has consecutive vectors of a tile in shared memory, so
 *          that only its sum goes through a scan of the warp: a row of vectors
 *          needs no shuffles. Lanes come to their vectors in turns, or they
 *          would all meet in a few banks. Tiles with their masks fill an SM by
 *          threes or, for lines that are not so long, by sixes; the first of
 *          them are asked for in turns (start_in_turns.cuh). With a2, the L2
 *          is asked for later tiles already.
 * Against  decoupled_lookback: there a warp takes its vectors by rows, scans
 *          the lanes' sums once a row, and stores a row as soon as it is
 *          scanned; here rows are read from shared memory once more. And there
 *          all tiles that fit are asked for at once. a2 is for few lines: where
 *          tiles wait for each other, nothing else asks the memory for more.
 * Traffic  2N elements and a word a tile (passes = 1).
 * Needs    inner == 1, and lines that are not both short and many; bulk
 *          copies (compute capability 9.0).
 * Source   none; the look-back is decoupled_lookback's.
 * Lesson   Sums in a thread need no shuffles, but before its rows are stored
 *          they go through shared memory once more: that pays in doubles, whose
 *          shuffles count twice. Tiles that are all asked for at the start come
 *          all late; in turns, the chain of sums is under way while later ones
 *          are still on theirs.
 */
#include "variants/scan/single_pass.cuh"

/* A warp's vectors, so many in a row a lane: sums go from lane to lane once,
 * not once a row. Vectors are visited by turns, so that eight lanes never meet
 * in one bank: a lane begins at its vector number `turn`, and comes to those
 * before it in the end. */
template <class T, class Scan, int Vecs>
struct rake {
    using Acc = acc_t<T>;
    using Raw = vec<T>;
    static constexpr int kTurns = Vecs % 8 == 0   ? 8
                                  : Vecs % 4 == 0 ? 4
                                  : Vecs % 2 == 0 ? 2
                                                  : 1;
    T *tile; /* of the lane */
    const uint8_t *mask;
    int turn;
    Acc late; /* the sum of the vectors visited last: they come first */

    __device__ __forceinline__ rake(T *tile, const uint8_t *mask)
        : tile(tile), mask(mask),
          turn((int)threadIdx.x % 32 / (8 / kTurns) % kTurns), late(0)
    {
    }

    /* Where the vector of visit number k lies. */
    __device__ __forceinline__ int place(int k) const
    {
        int v = k + turn;
        if (k + kTurns > Vecs && v >= Vecs)
            v -= Vecs;
        return (Scan::reverse ? Vecs - 1 - v : v) * kVec<T>;
    }

    __device__ __forceinline__ Raw read(int at) const
    {
        uint4 x = *(const uint4 *)(tile + at);
        if constexpr (Scan::masked)
            x = keep_where<T>(x, *(const words_t<mask_vec<T>> *)(mask + at));
        return __builtin_bit_cast(Raw, x);
    }

    __device__ __forceinline__ Acc sum()
    {
        Acc all = 0;
#pragma unroll
        for (int k = 0; k < Vecs; ++k) {
            const Acc sum = vec_reduce<op_of<Scan, T>>(read(place(k)));
            all += sum;
            if (k + kTurns > Vecs)
                late += k + turn >= Vecs ? sum : Acc(0);
        }
        return all;
    }

    __device__ __forceinline__ void scan(Acc carry)
    {
        /* Without turns, some at a time: registers are short. */
        constexpr int kAtATime = kTurns == 1 ? 3 : Vecs;
        Acc before = carry + late;
#pragma unroll kAtATime
        for (int k = 0; k < Vecs; ++k) {
            const int at = place(k);
            Raw x = read(at);
            if (k + kTurns > Vecs)
                before = k + turn == Vecs ? carry : before;
            const Acc sum = vec_reduce<op_of<Scan, T>>(x);
            vec_scan<Scan, op_of<Scan, T>>(x, before);
            write_shared(tile + at, x);
            before += sum;
        }
    }
};

/* Zeroes what of a tile in shared memory lies outside of its line: a few
 * elements before it, and any number after. Every thread of the block. */
template <int Tile, class T>
__device__ __forceinline__ void clear_outside(const struct tile_place &p,
                                              T *tile)
{
    const int begin = (int)(p.part.begin - p.first);
    const int end = (int)max(p.part.end - p.first, (int64_t)0);
    const int vectors = min((end + kVec<T> - 1) / kVec<T> * kVec<T>, Tile);
#pragma unroll 1
    for (int e = threadIdx.x; e < begin; e += blockDim.x)
        tile[e] = from_acc<T>(0);
#pragma unroll 1
    for (int e = end + threadIdx.x; e < vectors; e += blockDim.x)
        tile[e] = from_acc<T>(0);
#pragma unroll 1
    for (int e = vectors + threadIdx.x * kVec<T>; e < Tile;
         e += blockDim.x * kVec<T>)
        *(uint4 *)(tile + e) = {};
}

template <class T, class Scan, int Threads, int Vecs, bool Ahead>
static __global__ void __launch_bounds__(Threads,
                                         kHeld<T, Scan::masked, Threads, Vecs>)
    decoupled_lookback_blocked(const T *__restrict__ in,
                               const uint8_t *__restrict__ mask,
                               T *__restrict__ out, const struct tiling t,
                               unsigned long long *ticket,
                               tile_state<acc_t<T>> *states)
{
#if HAS_BULK_COPY
    using Acc = acc_t<T>;
    constexpr int kPart = Vecs * 32 * kVec<T>; /* elements of a warp */
    constexpr int kTile = Threads / 32 * kPart;
    extern __shared__ uint4 shared_tile[];
    uint8_t *shared_mask = (uint8_t *)(shared_tile + Threads * Vecs);
    __shared__ Acc totals[Threads / 32], shared_carry;
    __shared__ struct tile_place shared_place;
    __shared__ uint64_t loaded;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int64_t tiles = t.lines * t.line_tiles;
    T *tile = (T *)shared_tile;

    int64_t number = 0;
    if (threadIdx.x == 0) {
        early_wait();
        number = (int64_t)atomicAdd(ticket, 1ull);
        bulk_init(&loaded, 1);
    }
    unsigned parity = 0;
    for (int64_t n = blockIdx.x; n < tiles; n += gridDim.x) {
        /* load */
        if (threadIdx.x == 0) {
            const struct tile_place p =
                place_of<Scan::reverse, kTile>(t, number);
            start_in_turns<kHeld<T, Scan::masked, Threads, Vecs>>(states, t,
                                                                  number);
            stretch_ask_kept<Scan::masked>(p.part, in, mask, tile, shared_mask,
                                           &loaded);
            shared_place = p;
            /* And the L2 for one that comes half as many tiles later as there
             * are multiprocessors, so that memory is busy while blocks wait
             * for what comes before. */
            const int64_t later = number + multiprocessors() / 2;
            if (Ahead && later < tiles)
                stretch_prefetch<Scan::masked>(
                    place_of<Scan::reverse, kTile>(t, later).part, in, mask);
        }
        __syncthreads();
        const struct tile_place &p = shared_place;
        if (p.inside) {
            bulk_wait(&loaded, parity);
            parity ^= 1;
        } else {
            clear_outside<kTile>(p, tile);
            stretch_wait<Scan::masked>(p.part, in, mask, tile, shared_mask,
                                       &loaded, &parity);
            __syncthreads();
        }

        /* upsweep */
        const int at = threadIdx.x * Vecs * kVec<T>;
        rake<T, Scan, Vecs> mine(tile + at, shared_mask + at);
        Acc warp_total, tile_total;
        Acc carry = warp_prefix<Scan::reverse>(mine.sum(), &warp_total);

        /* spine: in the block, then over the tiles before it */
        carry += warps_prefix<Scan::reverse, Threads>(warp_total, totals,
                                                      &tile_total);
        const int64_t step = p.step;
        tile_state<Acc> *state = states + p.number * kStateStride<Acc>;
        /* A line's last tile tells nothing: a lone one needs no state. */
        const bool speaks = threadIdx.x == 0 && step + 1 < t.line_tiles;
        if (speaks)
            publish(state, step ? TILE_AGGREGATE : TILE_PREFIX, tile_total);
        if (warp == 0) {
            const Acc before = step ? look_back(state, step) : Acc(0);
            if (speaks && step)
                publish(state, TILE_PREFIX, before + tile_total);
            if (lane == 0)
                shared_carry = before;
        }
        __syncthreads();

        /* downsweep */
        mine.scan(shared_carry + carry);

        store_part<Vecs>(p, p.first + warp * kPart, out, tile);
        if (n + gridDim.x < tiles) {
            bulk_fence();
            __syncthreads(); /* the tile is free again */
            if (threadIdx.x == 0)
                number = (int64_t)atomicAdd(ticket, 1ull);
        }
    }
#endif
}

template <bool Ahead>
struct raked {
    template <class T, class Scan, int Threads, int Vecs>
    static constexpr auto kernel =
        decoupled_lookback_blocked<T, Scan, Threads, Vecs, Ahead>;
};

/* a2: the L2 is asked for the tile that comes multiprocessors / 2 later. The
 * shortest tile is one of doubles with their mask. */
#define POINT(threads, suffix, items, ahead)                                   \
    {                                                                          \
        .name = "decoupled_lookback_blocked_b" #threads suffix,                \
        .idea = "a block a tile, consecutive vectors a lane; it looks back",   \
        .runs_on = DEVICE_CUDA, .ops = OPS_SCAN, .dtypes = DTYPES_ALL,         \
        .passes = 1, .error_growth = ERROR_TILED,                              \
        .error_tile = 2 * threads * vectors_held<threads, items>(8, true),     \
        .deterministic = false, .refuses = look_back_refuses,                  \
        .workspace_bytes = single_pass_workspace<threads, items>,              \
        .launch = tiles_launch<raked<ahead>, threads, items>                   \
    }

VARIANTS(scan__decoupled_lookback_blocked) = {
    POINT(256, "_k72", kFitting, false),
    POINT(256, "_k72_a2", kFitting, true),
    POINT(256, "_k36", fitting_odd(6), false),
    {},
};
