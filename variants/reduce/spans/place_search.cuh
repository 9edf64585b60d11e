/* SPDX-License-Identifier: MIT
 *
 * The place of an extreme among elements that can be read again: batches of
 * eight are compared by their extremes, and only the first best is searched.
 */
#ifndef VARIANTS_REDUCE_SPANS_PLACE_SEARCH_CUH
#define VARIANTS_REDUCE_SPANS_PLACE_SEARCH_CUH

#include "variants/common/kernel.cuh"

/* Operators whose result is a place: of each batch of rows they keep only the
 * extreme, and read the best batch again. */
template <class Op>
constexpr bool kSearches = requires
{
    Op::smaller;
};

/* The place of the extreme of n rows of a column: get(k) is row k. */
template <class Op, class Get, class Place>
__device__ __forceinline__ typename Op::acc search_column(int n, Get get,
                                                          Place place)
{
    using T = typename Op::element;
    constexpr batch kBatch = is_half<T> ? ADJACENT : APART;
    auto best = Op::first_pass::identity();
    int from = 0, k = 0;
    const auto offer = [&](auto row) {
        const auto next = Op::template best_in<8, kBatch>(row);
        if (leads<Op::smaller>(next, best)) {
            best = next;
            from = k;
        }
    };
    const auto row_or_pad = [&](int j) {
        return k + j < n ? get(k + j) : Op::pad();
    };
    for (; k + 8 <= n; k += 8)
        offer([&](int j) { return get(k + j); });
    if (k < n)
        offer(row_or_pad);
    k = from;
    return place_in<Op, 8, APART>(
        row_or_pad, [&](int j) { return place(from + j); },
        element_of<T>(best));
}

/* The same of two columns of halves: get(k) is a pair. */
template <class Op, class Get, class Place>
__device__ __forceinline__ void search_pair(typename Op::acc (&places)[2],
                                            int n, Get get, Place place)
{
    auto best = pair_of(Op::pad(), Op::pad());
    uint32_t from = 0;
    int k = 0;
    const auto pair_or_pad = [&](int j) {
        return k + j < n ? get(k + j) : pair_of(Op::pad(), Op::pad());
    };
    const auto offer = [&](auto row) {
        const auto next = extremes_in<Op::smaller, 8>(row);
        const uint32_t mask = leads_pair<Op::smaller>(next, best);
        uint32_t &bits = reinterpret_cast<uint32_t &>(best);
        bits =
            (mask & reinterpret_cast<const uint32_t &>(next)) | (~mask & bits);
        from = (mask & (k | k << 16)) | (~mask & from);
    };
    for (; k + 8 <= n; k += 8)
        offer([&](int j) { return get(k + j); });
    if (k < n)
        offer(pair_or_pad);
#pragma unroll
    for (int w = 0; w < 2; ++w) {
        k = w ? from >> 16 : from & 0xffff;
        places[w] = place_in<Op, 8, APART>(
            [&](int j) { return w ? pair_or_pad(j).y : pair_or_pad(j).x; },
            [&](int j) { return place(k + j, w); }, w ? best.y : best.x);
    }
}

#endif
