/* SPDX-License-Identifier: MIT
 *
 * Idea     Each lane has consecutive vectors of a tile in shared memory, so
 *          that only its sum goes through a scan of the warp: a row of vectors
 *          needs no shuffles. Lanes come to their vectors in turns, or they
 *          would all meet in a few banks. Tiles with their masks fill an SM by
 *          threes or, for lines that are not so long, by sixes; the first of
 *          them are asked for in turns (staggered_start.cuh). With a2, the L2
 *          is asked for later tiles already.
 * Against  decoupled_lookback: there a warp takes its vectors by rows, scans
 *          the lanes' sums once a row, and stores a row as soon as it is
 *          scanned; here rows are read from shared memory once more. And there
 *          all tiles that fit are asked for at once. a2 is for few lines: where
 *          tiles wait for each other, nothing else asks the memory for more.
 * Traffic  2N elements and one word per tile (passes = 1).
 * Needs    inner == 1, and lines that are not both short and many.
 * Source   none; the look-back is decoupled_lookback's.
 * Lesson   Sums within a thread need no shuffles but a second trip through
 *          shared memory, which pays for doubles. Tiles requested one after
 *          another start the chain of sums while later tiles still wait.
 */
#include "variants/scan/single_pass.cuh"

/* A lane has Vecs consecutive vectors: sums go from lane to lane once, not once
 * a row. Vectors are visited by turns, so that eight lanes never meet in one
 * bank: a lane begins at its vector number `turn`, and comes to those before it
 * last. */
template <class T, class Scan, int Threads, int Vecs>
struct blocked {
    using Op = op_of<Scan, T>;
    using Acc = typename Op::acc;
    using shared = one_sum<Acc, Threads>;
    static constexpr int kTile = Threads * Vecs * kVec<T>;
    static constexpr int kPart = kTile; /* threads read the tile to its end */
    static constexpr int kTurns = Vecs % 8 == 0   ? 8
                                  : Vecs % 4 == 0 ? 4
                                  : Vecs % 2 == 0 ? 2
                                                  : 1;
    shared &sums;
    const tile_buffer<T> &tile;
    const struct tile_place &p;
    const int turn;
    Acc late; /* the sum of the vectors visited last: they come first */
    Acc warp_total, before; /* before this lane, at first in its warp */

    __device__ __forceinline__ blocked(shared &sums, const tile_buffer<T> &tile,
                                       const struct tile_place &p)
        : sums(sums), tile(tile), p(p),
          turn((int)(threadIdx.x % 32) / (8 / kTurns) % kTurns),
          late(Op::identity())
    {
    }

    /* Where the vector of visit number k lies. */
    __device__ __forceinline__ int place(int k) const
    {
        int v = k + turn;
        if (k + kTurns > Vecs && v >= Vecs)
            v -= Vecs;
        return ((int)threadIdx.x * Vecs + (Scan::reverse ? Vecs - 1 - v : v)) *
               kVec<T>;
    }

    __device__ __forceinline__ void upsweep(void)
    {
        Acc all = Op::identity();
#pragma unroll
        for (int k = 0; k < Vecs; ++k) {
            const Acc sum =
                vec_reduce<Op>(read_tile<Scan::masked>(tile, place(k)));
            all = Op::combine(all, sum);
            if (k + kTurns > Vecs)
                late =
                    Op::combine(late, k + turn >= Vecs ? sum : Op::identity());
        }
        before = warp_prefix<Op, Scan::reverse>(all, &warp_total);
    }

    template <class Spine>
    __device__ __forceinline__ void spine(const struct tiling &t,
                                          tile_state<Acc> *states)
    {
        const Acc carry = spine_of_one<Op, Spine, Scan::reverse>(
            warp_total, sums, p, t, states, [] {});
        before = Op::combine(carry, before);
    }

    __device__ __forceinline__ void downsweep(T *__restrict__ out)
    {
        /* Without turns, some at a time: registers are short. */
        constexpr int kAtATime = kTurns == 1 ? 3 : Vecs;
        Acc carry = Op::combine(before, late);
#pragma unroll kAtATime
        for (int k = 0; k < Vecs; ++k) {
            const int at = place(k);
            vec<T> x = read_tile<Scan::masked>(tile, at);
            if (k + kTurns > Vecs)
                carry = k + turn == Vecs ? before : carry;
            const Acc sum = vec_reduce<Op>(x);
            vec_scan<Scan, Op>(x, carry);
            write_shared(tile.x + at, x);
            carry = Op::combine(carry, sum);
        }
        const int part = (int)(threadIdx.x / 32) * Vecs * 32 * kVec<T>;
        store_part<Vecs>(p, p.first + part, out, tile.x);
    }
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
        .deterministic = false,                                                \
        .refuses = single_pass_refuses<threads, items>,                        \
        .workspace_bytes = single_pass_workspace<threads, items>,              \
        .launch =                                                              \
            single_pass_launch<design<decoupled, blocked, kStaggered, ahead>,  \
                               threads, items>                                 \
    }

VARIANTS(scan__decoupled_lookback_blocked) = {
    POINT(256, "_k72_a2", kFitting, true),
    POINT(256, "_k36", fitting_odd(6), false),
    {},
};
