/* SPDX-License-Identifier: MIT
 *
 * Reductions and prefixes over a thread's items, a warp and a block.
 */
#ifndef VARIANTS_COMMON_COLLECTIVE_PREFIX_CUH
#define VARIANTS_COMMON_COLLECTIVE_PREFIX_CUH

#include "variants/common/access/shuffle.cuh"

/* ----------------------------------------------------------------- warps */

/* The exclusive prefix of `value` over a warp's lanes in walk order (from lane
 * 31 down, if Reverse), and in *total the reduction over all lanes. */
template <class Op, bool Reverse>
__device__ __forceinline__ typename Op::acc warp_prefix(typename Op::acc value,
                                                        typename Op::acc *total)
{
    using Acc = typename Op::acc;
    const int lane = threadIdx.x % 32;
    const int rank = Reverse ? 31 - lane : lane; /* place in walk order */
    Acc sum = value;
#pragma unroll
    for (int step = 1; step < 32; step *= 2) {
        const Acc earlier = shuffle_earlier<Reverse>(sum, step);
        if (rank >= step)
            sum = Op::combine(earlier, sum);
    }
    *total = shuffle_from(sum, Reverse ? 0 : 31);
    const Acc before = shuffle_earlier<Reverse>(sum, 1);
    return rank ? before : Op::identity();
}

/* The reduction over the lanes of each group of Lanes, in every lane. A
 * butterfly; without commutativity it joins neighbouring groups, in order. */
template <class Op, bool Reverse = false, int Lanes = 32>
__device__ __forceinline__ typename Op::acc warp_reduce(typename Op::acc value)
{
    constexpr bool kAtOnce = Lanes == 32 && requires
    {
        Op::over_warp(value);
    };
    if constexpr (kAtOnce) {
        return Op::over_warp(value);
    } else if constexpr (kInParts<Op>) {
        const auto leads = warp_reduce<typename Op::leader, Reverse, Lanes>(
            Op::leader_of(value));
        return Op::joined(leads,
                          warp_reduce<typename Op::follower, Reverse, Lanes>(
                              Op::follower_of(value, leads)));
    } else if constexpr (Op::commutative) {
#pragma unroll
        for (int apart = Lanes / 2; apart > 0; apart /= 2)
            value = Op::combine(value, shuffle_xor(value, apart));
    } else {
#pragma unroll
        for (int apart = 1; apart < Lanes; apart *= 2) {
            const auto other = shuffle_xor(value, apart);
            const bool other_first = (threadIdx.x & apart) != 0;
            value = other_first != Reverse ? Op::combine(other, value)
                                           : Op::combine(value, other);
        }
    }
    return value;
}

/* For each lane, reduces the lanes from the nearest of `heads` on, or from the
 * first in walk order. */
template <class Op, bool Reverse>
__device__ __forceinline__ typename Op::acc since_head(typename Op::acc map,
                                                       unsigned heads)
{
    const int lane = threadIdx.x % 32;
    const int first = Reverse ? __ffs((heads & ~0u << lane) | 1u << 31) - 1
                              : 31 - __clz((heads & (2u << lane) - 1) | 1);
#pragma unroll
    for (int far = 1; far < 32; far *= 2) {
        const auto earlier = shuffle_earlier<Reverse>(map, far);
        if (Reverse ? lane + far <= first : lane - far >= first)
            map = Op::combine(earlier, map);
    }
    return map;
}

/* ---------------------------------------------------------------- blocks */

/* The exclusive prefix of the warps' totals, and in *total the reduction over
 * the block. `totals` is shared memory for Threads / 32 values; it may be
 * written again after one more barrier. */
template <class Op, bool Reverse, int Threads>
__device__ __forceinline__ typename Op::acc
warps_prefix(typename Op::acc warp_total, typename Op::acc *totals,
             typename Op::acc *total)
{
    using Acc = typename Op::acc;
    constexpr int kWarps = Threads / 32;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if constexpr (kWarps == 1) {
        *total = warp_total;
        return Op::identity();
    }
    if (lane == 0)
        totals[warp] = warp_total;
    __syncthreads();
    /* Every warp scans all totals, which saves the barrier of a spine warp. */
    const Acc mine = lane < kWarps ? totals[lane] : Op::identity();
    const Acc before = warp_prefix<Op, Reverse>(mine, total);
    return shuffle_from(before, warp);
}

/* ---------------------------------------------------------------- items */

/* The items of [0, count) that thread `rank` of `threads` combines: every
 * threads-th, so that neighbouring threads load neighbouring items, or
 * consecutive ones if the operator does not commute. */
template <class Index>
struct item_share {
    Index begin, end;
    int step;
};

template <class Op, class Index>
__device__ __forceinline__ item_share<Index> share_of(Index count, int rank,
                                                      int threads)
{
    if constexpr (Op::commutative)
        return { (Index)rank, count, threads };
    const Index each = (count + threads - 1) / threads;
    const Index begin = min(rank * each, count);
    return { begin, min(begin + each, count), 1 };
}

/* The reduction over a thread's items. */
template <class Op, bool Reverse, int Items>
__device__ __forceinline__ typename Op::acc
items_reduce(const typename Op::acc (&v)[Items])
{
    typename Op::acc sum = v[0];
#pragma unroll
    for (int k = 1; k < Items; ++k)
        sum = combine_in_memory<Op, Reverse>(sum, v[k]);
    return sum;
}

/* A warp's elements as rows, row j being vector j of every lane: before[j] is
 * the exclusive prefix of this lane's vector of row j in walk order, whose
 * reduction is sum_of(j). Returns the reduction of all. */
template <class Op, bool Reverse, int Rows, class Sum>
__device__ __forceinline__ typename Op::acc
rows_prefix(typename Op::acc (&before)[Rows], Sum sum_of)
{
    using Acc = typename Op::acc;
    Acc total = Op::identity();
#pragma unroll
    for (int step = 0; step < Rows; ++step) {
        const int j = Reverse ? Rows - 1 - step : step;
        Acc row_total;
        before[j] =
            Op::combine(total, warp_prefix<Op, Reverse>(sum_of(j), &row_total));
        total = Op::combine(total, row_total);
    }
    return total;
}
template <class Op, bool Reverse, int Rows, int Items>
__device__ __forceinline__ typename Op::acc
rows_prefix(const typename Op::acc (&v)[Rows][Items],
            typename Op::acc (&before)[Rows])
{
    return rows_prefix<Op, Reverse>(
        before, [&](int j) { return items_reduce<Op, Reverse>(v[j]); });
}

/* Replaces a thread's items by their scan with that carry-in. */
template <class Scan, class Op, int Items>
__device__ __forceinline__ void items_scan(typename Op::acc (&v)[Items],
                                           typename Op::acc carry)
{
#pragma unroll
    for (int step = 0; step < Items; ++step) {
        const int k = Scan::reverse ? Items - 1 - step : step;
        const typename Op::acc sum = Op::combine(carry, v[k]);
        v[k] = Scan::exclusive ? carry : sum;
        carry = sum;
    }
}

#endif
