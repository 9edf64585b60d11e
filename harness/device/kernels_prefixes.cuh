/* SPDX-License-Identifier: MIT
 *
 * From the accs of the chunks of lines to the prefix of each chunk: accs are
 * combined upward, level by level, and then replaced downward by what precedes
 * each. All arrays have the shape (outer, n, inner). A Definition has acc,
 * identity(), and combine(earlier, later).
 */
#pragma once

#include "harness/device/kernels_walk.h"

struct sums {
    using acc = total;
    static __device__ acc identity(void)
    {
        return {};
    }
    static __device__ acc combine(acc earlier, acc later)
    {
        earlier.sum = two_sum_add(earlier.sum, later.sum.high);
        if (later.sum.low != 0) /* false at compile time for an element */
            earlier.sum = two_sum_add(earlier.sum, later.sum.low);
        earlier.magnitude += later.magnitude;
        return earlier;
    }
};

/* coarse (outer, ceil(n / kChunk), inner) combines fine (outer, n, inner). */
template <class Definition>
static __global__ void accs_up(int64_t outer, int64_t n, int64_t inner,
                               const typename Definition::acc *fine,
                               typename Definition::acc *coarse)
{
    const int64_t m = (n + kChunk - 1) / kChunk;
    for (GRID_STRIDE(item, outer * m * inner)) {
        const auto [o, c, i] = place_of(item, m, inner);
        auto acc = Definition::identity();
        for (int64_t k = c * kChunk; k < min((c + 1) * kChunk, n); ++k)
            acc = Definition::combine(acc, fine[(o * n + k) * inner + i]);
        coarse[item] = acc;
    }
}

/* Replaces every fine acc by what precedes it. The coarse ones have been
 * replaced already; those of a single span are NULL. */
template <class Definition>
static __global__ void accs_down(int64_t outer, int64_t n, int64_t inner,
                                 typename Definition::acc *fine,
                                 const typename Definition::acc *coarse)
{
    const int64_t m = (n + kChunk - 1) / kChunk;
    for (GRID_STRIDE(item, outer * m * inner)) {
        const auto [o, c, i] = place_of(item, m, inner);
        auto before = coarse ? coarse[item] : Definition::identity();
        for (int64_t k = c * kChunk; k < min((c + 1) * kChunk, n); ++k) {
            auto *here = &fine[(o * n + k) * inner + i];
            const auto own = *here;
            *here = before;
            before = Definition::combine(before, own);
        }
    }
}

/* Number of accs that to_prefixes() needs for `fine` and `coarse`. */
static inline int64_t prefix_items(struct shape shape, int64_t n)
{
    int64_t items = n;
    while (n > 1) {
        n = (n + kChunk - 1) / kChunk;
        items += n;
    }
    return items * shape_lines(shape);
}

/* Turns fine accs, n per line, into prefixes, and stores each line's whole;
 * `coarse` has room for all levels above them. Returns a cudaError_t. */
template <class Definition>
int to_prefixes(struct shape s, int64_t n, typename Definition::acc *whole,
                typename Definition::acc *fine,
                typename Definition::acc *coarse)
{
    const int64_t lines = shape_lines(s), m = (n + kChunk - 1) / kChunk;
    int error = cudaSuccess;
    if (n == 1) {
        error = cudaMemcpyAsync(whole, fine, (size_t)lines * sizeof *fine,
                                cudaMemcpyDeviceToDevice, 0);
        coarse = NULL;
    } else {
        accs_up<Definition><<<(unsigned)blocks_for(lines * m), kThreads>>>(
            s.outer, n, s.inner, fine, coarse);
        error =
            to_prefixes<Definition>(s, m, whole, coarse, coarse + lines * m);
    }
    if (error)
        return error;
    accs_down<Definition><<<(unsigned)blocks_for(lines * m), kThreads>>>(
        s.outer, n, s.inner, fine, coarse);
    return cudaGetLastError();
}
