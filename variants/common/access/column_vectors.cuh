/* SPDX-License-Identifier: MIT
 *
 * A thread's own columns, as many as a 16-byte vector holds. Blocks take them
 * in memory order, so that the accesses in flight lie close together in each
 * row. Where rows are not whole vectors, warps take strips of them
 * (shifted_rows.cuh).
 */
#ifndef VARIANTS_COMMON_ACCESS_COLUMN_VECTORS_CUH
#define VARIANTS_COMMON_ACCESS_COLUMN_VECTORS_CUH

#include "variants/common/access/items.cuh"
#include "variants/common/access/l2_hints.cuh"
#include "variants/common/access/shifted_rows.cuh"
#include "variants/common/launch/dispatch.cuh"

constexpr int kColumnThreads = 128;
constexpr int kColumnWarps = kColumnThreads / 32;

/* Calls run(rows) with the number of rows in flight, as a constant: registers
 * for rows that do not exist would cost occupancy. Less than kMostRows is the
 * whole axis. */
constexpr int kMostRows = 8;
template <int Least, class Run>
int with_rows(int64_t axis, Run run)
{
    if constexpr (Least < kMostRows)
        if (axis > Least)
            return with_rows<2 * Least>(axis, run);
    return run(std::integral_constant<int, Least>{});
}

/* The fewest rows. Operators other than addition have one kernel. */
template <class Op>
constexpr int kLeastRows = is_addition<Op> ? 2 : kMostRows;

/* Strips that a warp takes side by side: a lane has eight vectors in flight. */
template <int Rows>
constexpr int kAbreast = kMostRows / Rows;

/* True if every row is whole vectors, so a thread's columns are one vector per
 * row. */
inline bool rows_in_vectors(const struct problem *p)
{
    const uintptr_t wide = 16 / dtype_bytes(p->dtype);
    return p->shape.inner % (int64_t)wide == 0 && (uintptr_t)p->in % 16 == 0 &&
           (uintptr_t)p->out % 16 == 0 && (uintptr_t)p->mask % wide == 0;
}

/* Element n of a matrix `across` columns wide; both less than 2^32, as a 64-bit
 * division would be a call in the middle of the kernel. */
struct row_and_column {
    int64_t row, column;

    __device__ __forceinline__ row_and_column(int64_t n, int64_t across)
    {
        const unsigned o = (unsigned)n / (unsigned)across;
        row = o;
        column = (unsigned)n - o * (unsigned)across;
    }
};

/* The reason why a shape has too many vectors for row_and_column, or NULL. */
inline const char *too_many_vectors(const struct problem *p, int64_t width)
{
    const int64_t vectors = p->shape.outer * (p->shape.inner / width + 2);
    return vectors >> 32 ? "more than 2^32 vectors of columns" : NULL;
}

/* The same for strips. */
inline const char *too_many_in_strips(const struct problem *p, int64_t width)
{
    const char *why = too_long_in_strips(p, width);
    return why ? why : too_many_vectors(p, width);
}

/* Loads whole vectors: x[u] from row u in walk order, `step` elements (or mask
 * bytes) after the row before; `pad` past the last. */
template <int Rows, class Bits, class E>
__device__ __forceinline__ void load_column(Bits (&x)[Rows], const E *at,
                                            int64_t step, int rows,
                                            uint64_t policy, const Bits &pad)
{
#pragma unroll
    for (int u = 0; u < Rows; ++u, at += step) {
        x[u] = pad;
        if (u < rows)
            x[u] = read_kept((const Bits *)at, policy);
    }
}

#endif
