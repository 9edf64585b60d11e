/* SPDX-License-Identifier: MIT
 *
 * Idea     Each lane holds consecutive vectors of a tile in shared memory, so
 *          that only one total per lane goes through the warp scan, not one
 *          per vector. Lanes visit their vectors in rotated order, which
 *          avoids bank conflicts. Three tiles with their masks fill an SM or,
 *          for shorter lines, six; the first tiles' loads start one after
 *          another (staggered_start.cuh). a2 prefetches later tiles to the L2.
 * Against  decoupled_lookback: there a warp's vectors form rows, the lanes'
 *          totals are scanned once per row, and a row is stored as soon as it
 *          is scanned; here the tile is read from shared memory once more. And
 *          there the loads of all resident tiles start at once. a2 is for few
 *          lines: where tiles wait for each other, nothing else keeps the
 *          memory busy.
 * Traffic  2N elements and one word per tile (passes = 1).
 * Needs    inner == 1, and lines that are not both short and many.
 * Source   none; the look-back is decoupled_lookback's.
 * Lesson   Sums within a thread replace shuffles by a second trip through
 *          shared memory, which pays for doubles. Requesting tiles one by one
 *          starts the chain of sums early.
 */
#include "variants/scan/look_back/single_pass.cuh"

/* A lane holds Vecs consecutive vectors. It visits them from number `turn` on
 * and then wraps around, so that eight lanes never access the same bank. */
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
    Acc late; /* the vectors that are visited last, and come first in order */
    Acc warp_total, before; /* the carry into this lane, at first in its warp */

    __device__ __forceinline__ blocked(shared &sums, const tile_buffer<T> &tile,
                                       const struct tile_place &p)
        : sums(sums), tile(tile), p(p),
          turn((int)(threadIdx.x % 32) / (8 / kTurns) % kTurns),
          late(Op::identity())
    {
    }

    /* Index of the vector of visit number k. */
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
            const Acc sum = vec_reduce<Op, Scan::reverse>(
                read_tile<Op, Scan::masked>(tile, place(k)));
            const bool wrapped = k + kTurns > Vecs && k + turn >= Vecs;
            if constexpr (Op::commutative)
                all = Op::combine(all, sum);
            else
                all = Op::combine(all, wrapped ? Op::identity() : sum);
            if (k + kTurns > Vecs)
                late = Op::combine(late, wrapped ? sum : Op::identity());
        }
        if constexpr (!Op::commutative)
            all = Op::combine(late, all);
        before = warp_prefix<Op, Scan::reverse>(all, &warp_total);
    }

    template <class Spine>
    __device__ __forceinline__ void spine(const struct line_tiling &t,
                                          tile_state<Acc> *states)
    {
        const Acc carry = spine_of_one<Op, Spine, Scan::reverse>(
            warp_total, sums, p, t, states, [] {});
        before = Op::combine(carry, before);
    }

    __device__ __forceinline__ void downsweep(T *__restrict__ out)
    {
        /* Without rotation registers limit the unrolling. */
        constexpr int kAtATime = kTurns == 1 ? 3 : Vecs;
        Acc carry = Op::combine(before, late);
#pragma unroll kAtATime
        for (int k = 0; k < Vecs; ++k) {
            const int at = place(k);
            vec<T> x = read_tile<Op, Scan::masked>(tile, at);
            if (k + kTurns > Vecs)
                carry = k + turn == Vecs ? before : carry;
            /* Cheap operators have a shorter chain of carries by their sums. */
            const Acc sum = vec_reduce<Op, Scan::reverse>(x);
            const Acc last = vec_scan<Scan, Op>(x, carry);
            write_shared(tile.x + at, x);
            carry = kAbsorbs<Op> ? last : Op::combine(carry, sum);
        }
        const int part = (int)(threadIdx.x / 32) * Vecs * 32 * kVec<T>;
        store_part<Vecs>(p, p.first + part, out, tile.x);
    }
};

/* a2 prefetches the tile that is half the number of SMs ahead. The shortest
 * tile is one of doubles with their mask. */
#define POINT(threads, suffix, items, ahead)                                   \
    {                                                                          \
        .name = "decoupled_lookback_blocked_b" #threads suffix,                \
        .idea = "a block a tile, consecutive vectors a lane; it looks back",   \
        .runs_on = DEVICE_CUDA, .ops = scans<ALLOWS_WIDENING>(), .passes = 1,  \
        .error_growth = ERROR_TILED,                                           \
        .error_tile = 2 * threads * vectors_held<threads, items>(8, true),     \
        .deterministic = false,                                                \
        .refuses = single_pass_refuses<threads, items>,                        \
        .workspace_bytes = single_pass_workspace<threads, items>,              \
        .launch =                                                              \
            single_pass_launch<design<decoupled, blocked, kStaggered, ahead>,  \
                               threads, items, ALLOWS_WIDENING>                \
    }

VARIANTS(scan__decoupled_lookback_blocked) = {
#ifndef OTHER_OPERATORS
    POINT(256, "_k72_a2", kFitting, true),
#endif
    POINT(256, "_k36", fitting_odd(6), false),
    {},
};
