/* SPDX-License-Identifier: MIT
 *
 * A thread's own columns, as many as a 16-byte vector holds, and the order in
 * which blocks take them: that of memory, so that what is in flight at a time
 * lies close together in each row. Where rows are not whole vectors, warps take
 * them by strips (shifted_rows.cuh).
 */
#ifndef VARIANTS_COMMON_ACCESS_COLUMN_VECTORS_CUH
#define VARIANTS_COMMON_ACCESS_COLUMN_VECTORS_CUH

#include "variants/common/access/divisor.cuh"
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

/* The strips of a slab in units, one per warp: the first strip by itself, then
 * groups of adjacent ones, then the rest one by one. Strips at the ends of the
 * row are slow, so few warps get several of them. */
struct strip_units {
    divisor<uint32_t> per_slab; /* units of a slab */
    int groups, abreast;        /* groups, strips of a group */
    struct vectors_shared share;
    int vectors, rest; /* whole vectors that a row has room for, the rest */
    int last;          /* what a slab's last row is shifted by */
    int64_t slab;      /* elements of a slab */

    __device__ __forceinline__ int first(int unit) const
    {
        return unit + min(max(unit - 1, 0), groups) * (abreast - 1);
    }
    __device__ __forceinline__ bool is_group(int unit) const
    {
        return unit > 0 && unit <= groups;
    }
};

template <class T>
inline struct strip_units units_of(const struct problem *p, int abreast)
{
    constexpr int V = kVec<T>;
    int64_t strips;
    const struct vectors_shared share = vectors_shared_of<T>(p, &strips);
    const int64_t groups = strips > 2 ? (strips - 2) / abreast : 0;
    const int rest = (int)(p->shape.inner % V);
    return { .per_slab = divisor_of<uint32_t>(strips - groups * (abreast - 1)),
             .groups = (int)groups,
             .abreast = abreast,
             .share = share,
             .vectors = (int)(p->shape.inner / V),
             .rest = rest,
             .last = (int)((p->shape.axis - 1) % V) * rest % V,
             .slab = p->shape.axis * p->shape.inner };
}

/* True if every row is whole vectors, and so a thread's columns are one in
 * each. */
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

/* The same for strips, which number a row's vectors by int. */
inline const char *too_many_in_strips(const struct problem *p, int64_t width)
{
    return p->shape.inner / width >> 30 ? "rows of more than 2^30 vectors"
                                        : too_many_vectors(p, width);
}

/* Whole vectors: x[u] is that of the u-th row in walk order, `step` elements
 * (or mask bytes) after the one before; `pad` past the last. */
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

/* A lane of a strip. Its vector of a row that is shifted by s begins s elements
 * before the lane's column of that row; s < V. */
template <int V>
struct strip_lane {
    int64_t line;      /* the slab's first element */
    int64_t at;        /* the lane's column in row 0 of the slab, an element of
                          the tensor; may lie before or after it */
    int64_t partial;   /* the row whose vector reaches beyond the tensor: the
                          first or the last of the slab; or -1 */
    int before, after; /* columns of the row before the lane's, and from it on;
                          negative outside the row; some number above V if there
                          are many */
    bool inside;       /* all vectors of the strips are the row's */
    bool loads, writes;

    __device__ __forceinline__ strip_lane(const struct strip_units &s,
                                          int strip, int abreast, int64_t slab,
                                          const struct shape &shape)
    {
        const int lane = threadIdx.x % 32;
        line = slab * s.slab;
        const int lead = ((unsigned)s.share.lead + (unsigned)line) % V;
        /* Vectors are numbered from the boundary before the row. */
        const int first = strip * s.share.own - 1, vector = first + lane;
        const int left = s.vectors - vector;
        at = line + (int64_t)vector * V - lead;
        before = min(vector, 64) * V - lead;
        after = min(max(left, -64), 64) * V + s.rest + lead;
        const int behind = s.vectors - (first + s.share.own * abreast + 2);
        inside = first > (lead > 0) && behind >= -(s.rest + lead >= V);
        loads = lane < s.share.own + 2 && before > -V && after > 1 - V;
        writes = loads && lane > 0 && lane <= s.share.own;
        partial = -1;
        if (loads && at < 0)
            partial = 0;
        if (loads && slab + 1 == shape.outer && after < V - s.last)
            partial = shape.axis - 1;
    }
    __device__ __forceinline__ bool whole(int shift) const
    {
        return before >= shift && after + shift >= V;
    }
};

/* The shift after this one, a row on. */
template <int V>
__device__ __forceinline__ int next_shift(int shift, int turn)
{
    return (shift + turn) % V;
}

/* Loads a lane's vectors of shifted rows: the first begins `shift` elements
 * before `at`, and each is shifted by `turn` more than the one before. Row
 * `partial` of them, if any, lies partly outside of the tensor, and is read in
 * single elements. */
template <int Rows, int V, class Bits, class E>
__device__ __forceinline__ void
load_shifted(Bits (&x)[Rows], const E *from, const strip_lane<V> &lane,
             int64_t at, int64_t step, int shift, int turn, int rows,
             int64_t partial, int64_t elems, uint64_t policy, const Bits &pad)
{
    const int few = lane.loads ? rows : 0;
    const int missing = partial >= 0 && partial < few ? (int)partial : -1;
    int64_t next = at;
    int by = shift;
#pragma unroll
    for (int u = 0; u < Rows; ++u, next += step) {
        x[u] = pad;
        if (u < few && u != missing)
            x[u] = read_kept((const Bits *)(from + next - by), policy);
        by = next_shift<V>(by, turn);
    }
    if (missing < 0)
        return;
    const int64_t there = at + missing * step - (shift + missing * turn) % V;
    const Bits part = load_inside<E, Bits>(from, there, elems, pad);
#pragma unroll
    for (int u = 0; u < Rows; ++u)
        x[u] = either(u == missing, part, x[u]);
}

/* Writes a vector of a row shifted by `shift`, `vector` being its place; of a
 * vector at an end only what is the row's. */
template <bool Inside, class T>
__device__ __forceinline__ void store_shifted(T *vector, const uint4 &x,
                                              const strip_lane<kVec<T>> &lane,
                                              int shift)
{
    if (Inside || lane.whole(shift)) {
        write_first(vector, x);
        return;
    }
    const auto y = __builtin_bit_cast(vec<T>, x);
#pragma unroll
    for (int k = 0; k < kVec<T>; ++k)
        if (lane.before + k >= shift && k < lane.after + shift)
            vector[k] = y.item[k];
}

#endif
