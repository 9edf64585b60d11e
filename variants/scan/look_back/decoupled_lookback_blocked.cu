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
#include "variants/common/near.cuh"
#include "variants/scan/look_back/single_pass.cuh"

/* A lane holds Vecs consecutive vectors. It visits them from number `turn` on
 * and then wraps around, so that eight lanes never access the same bank. */
template <class T, class Scan, int Threads, int Vecs>
struct blocked {
    using Op = op_of<Scan, T>;
    using Acc = typename Op::acc;
    using Out = output_of<Op>;
    using shared = one_sum<Acc, Threads>;
    static constexpr int V = kVecOf<Op>;
    static constexpr int kTile = Threads * Vecs * V;
    static constexpr int kPart = kTile; /* threads read the tile to its end */
    static constexpr int kTurns = Vecs % 8 == 0   ? 8
                                  : Vecs % 4 == 0 ? 4
                                  : Vecs % 2 == 0 ? 2
                                                  : 1;
    shared &sums;
    const tile_buffer<T> &tile;
    const struct tile_place &p;
    const int turn;
    /* late: of the vectors that are visited last, and come first in order;
     * before: the carry into this lane, at first in its warp. */
    template <class Sum>
    struct lane {
        Sum late, before;
    };
    lane<Acc> mine;
    Acc warp_total;
    bool near; /* the warp's elements are near mine.before.reference (near.cuh),
                  and its sums are relative to that */

    __device__ __forceinline__ blocked(shared &sums, const tile_buffer<T> &tile,
                                       const struct tile_place &p)
        : sums(sums), tile(tile), p(p),
          turn((int)(threadIdx.x % 32) / (8 / kTurns) % kTurns), near(false)
    {
    }

    /* Index of the vector of visit number k. */
    __device__ __forceinline__ int place(int k) const
    {
        int v = k + turn;
        if (k + kTurns > Vecs && v >= Vecs)
            v -= Vecs;
        return ((int)threadIdx.x * Vecs + (Scan::reverse ? Vecs - 1 - v : v)) *
               V;
    }

    __device__ __forceinline__ vec<T, V> read(int at) const
    {
        return read_tile<Op, Scan::masked>(tile, at);
    }

    /* Returns the warp's reduction. */
    template <class By>
    __device__ __forceinline__ typename By::acc
    upsweep_by(const By &op, lane<typename By::acc> &to) const
    {
        typename By::acc all = By::identity(), total;
        to.late = By::identity();
        constexpr int kUp = kHasNear<By> ? 1 : Vecs; /* 1: rare */
#pragma unroll kUp
        for (int k = 0; k < Vecs; ++k) {
            const auto sum = vec_reduce<By, Scan::reverse>(read(place(k)), op);
            const bool wrapped = k + kTurns > Vecs && k + turn >= Vecs;
            if constexpr (By::commutative)
                all = By::combine(all, sum);
            else
                all = By::combine(all, wrapped ? By::identity() : sum);
            if (k + kTurns > Vecs)
                to.late = By::combine(to.late, wrapped ? sum : By::identity());
        }
        if constexpr (!By::commutative)
            all = By::combine(to.late, all);
        to.before = warp_prefix<By, Scan::reverse>(all, &total);
        return total;
    }

    __device__ __forceinline__ void upsweep(void)
    {
        if constexpr (kHasNear<Op>) {
            using Near = typename Op::near;
            float most;
            near = are_near<Op, Vecs, false>(
                [&](int k) { return read(place(k)); }, &most);
            if (near) {
                lane<typename Near::acc> to;
                warp_total = Op::joined_if(most, upsweep_by(Near{ most }, to));
                mine = { { most, to.late }, { most, to.before } };
                return;
            }
        }
        warp_total = upsweep_by(Op(), mine);
    }

    template <class Spine>
    __device__ __forceinline__ void spine(const struct line_tiling &t,
                                          tile_state<Acc> *states)
    {
        const Acc carry = spine_of_one<Op, Spine, Scan::reverse>(
            warp_total, sums, p, t, states, [] {});
        if constexpr (kHasNear<Op>)
            if (near) {
                const auto most = mine.before.reference;
                near = is_near<Op>(carry, (float)most);
                if (near) {
                    mine.before.sum += Op::follower_of(carry, most);
                    return;
                }
                mine = { Op::joined_if(most, mine.late.sum),
                         Op::joined_if(most, mine.before.sum) };
            }
        mine.before = Op::combine(carry, mine.before);
    }

    template <class By>
    __device__ __forceinline__ void
    downsweep_by(const By &op, const lane<typename By::acc> &from) const
    {
        /* Registers limit the unrolling without rotation, and with many or long
         * exponentials per vector. */
        constexpr bool kNear = !std::is_same_v<By, Op>;
        constexpr int kAtATime = kHasNear<By> || (kNear && sizeof(T) != 4) ? 1
                                 : kTurns == 1                             ? 3
                                               : Vecs;
        auto sum = By::combine(from.before, from.late);
#pragma unroll kAtATime
        for (int k = 0; k < Vecs; ++k) {
            const int at = place(k);
            vec<T> x = read(at);
            if (k + kTurns > Vecs)
                sum = k + turn == Vecs ? from.before : sum;
            /* Vectors' sums shorten cheap operators' chain of carries. */
            const auto part = vec_reduce<By, Scan::reverse>(x, op);
            auto last = sum;
            vec_scan<Scan, By>(x, x, last, op);
            write_shared(tile.x + at, x);
            sum = kAbsorbs<By> || kNear ? last : By::combine(sum, part);
        }
    }

    /* Results wider than elements replace them once all have been read. */
    __device__ __forceinline__ void downsweep_wider(void) const
    {
        words_t<vec<T, V>> words[Vecs];
#pragma unroll
        for (int k = 0; k < Vecs; ++k)
            words[k] = __builtin_bit_cast(words_t<vec<T, V>>, read(place(k)));
        __syncthreads();
        Acc sum = Op::combine(mine.before, mine.late);
#pragma unroll
        for (int k = 0; k < Vecs; ++k) {
            if (k + kTurns > Vecs)
                sum = k + turn == Vecs ? mine.before : sum;
            const auto x = __builtin_bit_cast(vec<T, V>, words[k]);
            const int64_t at = forget((int64_t)place(k));
            vec<Out, V> y;
            vec_scan<Scan, Op>(x, y, sum);
            write_shared((Out *)tile.x + at, y);
        }
    }

    __device__ __forceinline__ void downsweep(Out *__restrict__ out)
    {
        if constexpr (kHasNear<Op>)
            if (near)
                downsweep_by(typename Op::near{ mine.before.reference },
                             lane<acc_t<T>>{ mine.late.sum, mine.before.sum });
        if constexpr (!kStoresElements<Op>)
            downsweep_wider();
        else if (!near)
            downsweep_by(Op(), mine);
        const int part = (int)(threadIdx.x / 32) * Vecs * 32 * V;
        store_part<Vecs>(p, p.first + part, out, (const Out *)tile.x);
    }
};

/* a2 prefetches the tile that is half the number of SMs ahead. The shortest
 * tile is one of doubles with their mask. */
#define POINT(threads, suffix, items, ahead, needs)                            \
    {                                                                          \
        .name = "decoupled_lookback_blocked_b" #threads suffix,                \
        .idea = "a block per tile looks back; items in blocked arrangement",   \
        ON_CUDA(scans<needs>(), 1),                                            \
        ERROR_OF_TILES(2 * (threads * vectors_held<threads, items>(8, true))), \
        SINGLE_PASS(threads, items, needs, decoupled, blocked, kStaggered,     \
                    ahead)                                                     \
    }

VARIANTS(scan__decoupled_lookback_blocked) = {
#ifndef OTHER_OPERATORS
    POINT(256, "_k72_a2", kFitting, true,
          ALLOWS_WIDENING | no_sums_of(DTYPE_BF16)),
#endif
    POINT(256, "_k36", fitting_odd(6), false,
          ALLOWS_WIDENING | (OLDEST_ARCH < 800 ? 0 : no_sums_of(DTYPE_F64))),
    {},
};
