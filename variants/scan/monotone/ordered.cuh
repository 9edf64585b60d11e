/* SPDX-License-Identifier: MIT
 *
 * Sums that never fall. Rounded addition is monotone: if a <= b, then
 * fl(c + a) <= fl(c + b). A prefix is therefore computed from the inside out,
 *
 *     y = fl(group + fl(tile + fl(warp + fl(lane + s)))),
 *
 * with s, the thread's own elements, added one by one. At every level, a
 * carry-in is the final sum of the part before it, by the same additions: the
 * next lane's is fl(lane + s) at this lane's last element, and so on. So y of
 * the last element before a boundary equals y of no elements after it, whatever
 * the signs; elements >= 0 raise it from there, or leave it, and zeros leave
 * it.
 *
 * A lane holds consecutive vectors of a tile in shared memory, an odd number of
 * them, so that eight lanes' accesses meet no bank twice.
 */
#ifndef VARIANTS_SCAN_MONOTONE_ORDERED_CUH
#define VARIANTS_SCAN_MONOTONE_ORDERED_CUH

#include "variants/common/line_window.cuh"
#include "variants/scan/look_back/single_pass.cuh"

/* The exclusive prefix of the lanes' sums, one after another in walk order,
 * and in *total their sum: additions that warp_prefix() would do in a tree.
 * Bits of `starts` are the lanes that begin anew. */
template <class Op, bool Reverse>
__device__ __forceinline__ typename Op::acc
warp_chain(typename Op::acc value, unsigned starts, typename Op::acc *total)
{
    const int lane = threadIdx.x % 32;
    typename Op::acc sum = Op::identity(), before = Op::identity();
#pragma unroll
    for (int step = 0; step < 32; ++step) {
        const int from = Reverse ? 31 - step : step;
        const auto next = shuffle_from(value, from);
        before = lane == from ? sum : before;
        sum = starts >> from & 1 ? next : Op::combine(sum, next);
    }
    *total = sum;
    return before;
}

template <class Acc, int Threads>
struct ordered_sums {
    Acc totals[Threads / 32];
    bool started[Threads / 32];
    Acc group, tile;
};

/* Many: a tile holds whole lines, several of them. */
template <class T, class Scan, int Threads, int Vecs, bool Many>
struct ordered {
    static_assert(Vecs % 2 == 1, "an even number would have bank conflicts");
    using Op = op_of<Scan, T>;
    using Acc = typename Op::acc;
    using shared = ordered_sums<Acc, Threads>;
    static constexpr int V = kVec<T>, kItems = Vecs * V;
    static constexpr int kTile = Threads * kItems;
    static constexpr int kWarps = Threads / 32;
    static constexpr int kPart = kTile; /* threads read the tile to its end */

    shared &sums;
    const tile_buffer<T> &tile;
    const struct tile_place &p;
    Acc lane;   /* the sum of the lanes before, since the last start in its warp
                 */
    bool fresh; /* there is such a start */

    __device__ __forceinline__ int place(int k) const
    {
        return ((int)threadIdx.x * Vecs + (Scan::reverse ? Vecs - 1 - k : k)) *
               V;
    }

    /* Calls visit(item) in walk order, and done(place, vector) after each
     * vector's last. */
    template <class Visit, class Done>
    __device__ __forceinline__ void walk(Visit visit, Done done) const
    {
        constexpr int kAtATime = Many ? 1 : Vecs; /* as registers allow */
#pragma unroll kAtATime
        for (int k = 0; k < Vecs; ++k) {
            auto x = read_tile<Op, Scan::masked>(tile, place(k));
#pragma unroll
            for (int step = 0; step < V; ++step)
                visit(x.item[Scan::reverse ? V - 1 - step : step]);
            done(place(k), x);
        }
    }

    /* Sums the lane's elements since the last start, then its warp's. */
    __device__ __forceinline__ void upsweep(line_walk lines)
    {
        Acc s = Op::identity(), total;
        bool any = false;
        walk(
            [&](T &x) {
                const bool start = Many && lines.starts();
                s = start ? Op::lift(x) : Op::combine(s, Op::lift(x));
                any |= start;
            },
            [](int, const vec<T> &) {});
        const unsigned starts = Many ? __ballot_sync(kWholeWarp, any) : 0;
        lane = warp_chain<Op, Scan::reverse>(s, starts, &total);
        const int at = threadIdx.x % 32;
        fresh = starts & (Scan::reverse ? ~1u << at : (1u << at) - 1);
        if (at == 0) {
            sums.totals[threadIdx.x / 32] = total;
            sums.started[threadIdx.x / 32] = starts != 0;
        }
        __syncthreads();
    }

    /* The carry into this warp; *total: the carry out of the last. */
    __device__ __forceinline__ Acc warp_carry(Acc *total) const
    {
        Acc sum = Op::identity(), before = Op::identity();
#pragma unroll
        for (int step = 0; step < kWarps; ++step) {
            const int w = Scan::reverse ? kWarps - 1 - step : step;
            before = (int)threadIdx.x / 32 == w ? sum : before;
            sum = Many && sums.started[w] ? sums.totals[w]
                                          : Op::combine(sum, sums.totals[w]);
        }
        *total = sum;
        return before;
    }

    /* Scans the lane's elements in place with its carry-ins. `outside` adds the
     * tile's carries. */
    template <class Outside>
    __device__ __forceinline__ void downsweep(line_walk lines, Acc warp,
                                              Outside outside, T *out)
    {
        Acc s = Op::identity(), within = lane;
        warp = fresh ? Op::identity() : warp;
        const auto sum = [&] {
            return outside(Op::combine(warp, Op::combine(within, s)));
        };
        walk(
            [&](T &x) {
                const bool start = Many && lines.starts();
                if (start)
                    s = within = warp = Op::identity();
                const Acc before = Scan::exclusive ? sum() : s;
                s = Op::combine(s, Op::lift(x));
                x = Op::lower(Scan::exclusive ? before : sum());
            },
            [&](int at, const vec<T> &x) { write_shared(tile.x + at, x); });
        const int part = (int)(threadIdx.x / 32) * 32 * kItems;
        store_part<Vecs>(p, p.first + part, out, tile.x);
    }
};

#endif
