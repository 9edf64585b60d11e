/* SPDX-License-Identifier: MIT
 *
 * Rows that begin at any element, read in the aligned 16-byte vectors that hold
 * them: from one row to the next, columns shift by the pitch modulo a vector.
 * Warps take strips of them. Scans leave the data in place and shift the
 * columns' sums, in registers and by shuffles across lanes; some reductions
 * shift the data (realigned_rows.cuh).
 */
#ifndef VARIANTS_COMMON_ACCESS_SHIFTED_ROWS_CUH
#define VARIANTS_COMMON_ACCESS_SHIFTED_ROWS_CUH

#include "variants/common/access/divisor.cuh"
#include "variants/common/access/shuffle.cuh"
#include "variants/common/launch/dispatch.cuh"
#include "variants/common/access/l2_hints.cuh"

constexpr int kShiftLanes = 32; /* a strip's, each with a vector of every row */

/* Shifts a lane's columns by `by` elements, a constant after unrolling. */
template <int Width, class Acc>
__device__ __forceinline__ void move_on(Acc (&v)[Width], int by)
{
    Acc to[Width];
#pragma unroll
    for (int k = 0; k < Width; ++k) {
        const int from = k + by;
        if (from >= Width)
            to[k] = shuffle_down(v[from - Width], 1);
        else if (from < 0)
            to[k] = shuffle_up(v[from + Width], 1);
        else
            to[k] = v[from];
    }
#pragma unroll
    for (int k = 0; k < Width; ++k)
        v[k] = to[k];
}

/* Elements [0, end) of the access of type Bits at element e, else those of
 * `pad`. */
template <class E, class Bits>
__device__ __forceinline__ Bits load_inside(const E *from, int64_t e,
                                            int64_t end, const Bits &pad)
{
    auto x = __builtin_bit_cast(vec<E, sizeof(Bits) / sizeof(E)>, pad);
#pragma unroll
    for (int k = 0; k < (int)(sizeof(Bits) / sizeof(E)); ++k)
        if (e + k >= 0 && e + k < end)
            x.item[k] = from[e + k];
    return __builtin_bit_cast(Bits, x);
}

/* a or b, by words: the compiler would put an array of them into memory. */
__device__ __forceinline__ uint4 either(bool first, const uint4 &a,
                                        const uint4 &b)
{
    return { first ? a.x : b.x, first ? a.y : b.y, first ? a.z : b.z,
             first ? a.w : b.w };
}
__device__ __forceinline__ uint2 either(bool first, const uint2 &a,
                                        const uint2 &b)
{
    return { first ? a.x : b.x, first ? a.y : b.y };
}
template <class Bits>
__device__ __forceinline__ Bits either(bool first, Bits a, Bits b)
{
    return first ? a : b;
}

/* A lane's vectors of a strip's rows: that of a row shifted by s begins s
 * elements before the lane's column. */
template <int V>
struct row_edge {
    int side; /* 1: start of the row, -1: end, 0: neither */
    int least;

    /* Columns of a row before the lane's, and from it on; above V, any number
     * from V on. */
    __device__ __forceinline__ row_edge(int before, int after)
        : side(before < V - 1 ? 1
               : after < V    ? -1
                              : 0),
          least(side > 0   ? -before
                : side < 0 ? V - after
                           : 0)
    {
    }
    /* Elements of the vector outside the row: none if not positive, all from V
     * on. */
    __device__ __forceinline__ int missing(int shift) const
    {
        return side * shift + least;
    }
};

/* The vectors across rows' ends that a warp has computed but not stored: those
 * with the first columns of row u, and with its last. Stores of single elements
 * in every row would take more code than the instruction cache holds; so lanes
 * keep these vectors in shared memory, and then each lane stores one. */
template <int Rows>
struct row_ends {
    uint4 begin[Rows], end[Rows];

    __device__ __forceinline__ uint4 *of(int side)
    {
        return side > 0 ? begin : end;
    }
};

/* Stores elements [low, high) of a vector. */
template <class T>
__device__ __forceinline__ void store_part(T *vector, const vec<T> &x, int low,
                                           int high)
{
    constexpr int kWord = sizeof(T) < 4 ? 4 / (int)sizeof(T) : 1;
#pragma unroll
    for (int k = 0; k < kVec<T>; k += kWord) {
        vec<T, kWord> word;
#pragma unroll
        for (int i = 0; i < kWord; ++i)
            word.item[i] = x.item[k + i];
        if (k >= low && k + kWord <= high) {
            *(vec<T, kWord> *)(vector + k) = word;
            continue;
        }
#pragma unroll
        for (int i = 0; i < kWord; ++i)
            if (k + i >= low && k + i < high)
                vector[k + i] = word.item[i];
    }
}

/* Rows that a warp walks, `step` elements apart and each shifted by `turn` more
 * than the one before; Way is 1 or, backwards in memory, -1. */
template <class T, int Way>
struct walked_rows {
    T *row;  /* column 0 of the first row */
    T *lane; /* lane 0's column in it */
    int64_t step, inner;
    int shift, turn, rows, own;

    /* True if a lane that writes has this vector of row u. */
    __device__ __forceinline__ bool has(int u, const T *vector) const
    {
        constexpr int V = kVec<T>;
        const T *const first = lane + u * step - (shift + u * turn) % V;
        const int64_t place = (vector - first) / V;
        return u >= 0 && u < rows && place > 0 && place <= own;
    }

    /* Stores the vectors that lanes have kept: whole ones if lanes of this warp
     * hold both rows' parts, else the part that they hold. Lanes up to Rows
     * store the ends of rows, lanes from Rows on the remaining begins. */
    template <int Rows>
    __device__ __forceinline__ void
    store_ends(const struct row_ends<Rows> &kept) const
    {
        constexpr int V = kVec<T>;
        static_assert(2 * Rows <= 32);
        __syncwarp();
        const int thread = threadIdx.x % 32, u = thread % Rows;
        const bool ends = thread < Rows;
        T *const at = row + u * step + (ends ? inner : 0);
        const int low = (int)((uintptr_t)at / sizeof(T) % V);
        T *const vector = at - low;
        const int before = ends ? u : u - Way, behind = before + Way;
        const bool first = has(before, vector), second = has(behind, vector);
        if (thread < 2 * Rows && low > 0 && (ends ? first : second && !first)) {
            vec<T> x = __builtin_bit_cast(vec<T>, kept.end[first ? before : 0]);
            const auto y =
                __builtin_bit_cast(vec<T>, kept.begin[second ? behind : 0]);
#pragma unroll
            for (int k = 0; k < V; ++k)
                x.item[k] = k < low ? x.item[k] : y.item[k];
            if (first && second)
                write_first(vector, x);
            else
                store_part(vector, x, first ? 0 : low, first ? low : V);
        }
        __syncwarp();
    }
};

/* The strips of a slab in units, one per warp: the first strip by itself, then
 * groups of adjacent ones, then the rest one by one. Strips at the ends of the
 * row are slow, so few warps get several of them. */
struct strip_units {
    divisor<uint32_t> per_slab; /* units of a slab */
    int groups, abreast;        /* groups, strips of a group */
    int own;  /* vectors of a row that a strip's warp writes, from the strip's
                 second on; columns cross into its first and last as
                 rows shift */
    int lead; /* elements from a 16-byte boundary to the tensor */
    int vectors, rest; /* whole vectors of a row, elements left */
    int last;          /* shift of a slab's last row */
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

/* The reason why rows are too long for strips, or NULL. */
inline const char *too_long_in_strips(const struct problem *p, int64_t width)
{
    return p->shape.inner / width >> 30 ? "rows of more than 2^30 vectors"
                                        : NULL;
}

/* The vectors that a row may touch, in strips of equal width. */
template <class T>
inline struct strip_units units_of(const struct problem *p, int abreast)
{
    constexpr int V = kVec<T>;
    const int64_t vectors = (p->shape.inner - 1 + 2 * (V - 1)) / V + 1;
    const int64_t strips = ceil_div(vectors, kShiftLanes - 2);
    const int64_t groups = strips > 2 ? (strips - 2) / abreast : 0;
    const int rest = (int)(p->shape.inner % V);
    return { .per_slab = divisor_of<uint32_t>(strips - groups * (abreast - 1)),
             .groups = (int)groups,
             .abreast = abreast,
             .own = (int)ceil_div(vectors, strips),
             .lead = (int)((uintptr_t)p->in / sizeof(T) % V),
             .vectors = (int)(p->shape.inner / V),
             .rest = rest,
             .last = (int)((p->shape.axis - 1) % V) * rest % V,
             .slab = p->shape.axis * p->shape.inner };
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
        const int lead = ((unsigned)s.lead + (unsigned)line) % V;
        /* Vectors are numbered from the boundary before the row. */
        const int first = strip * s.own - 1, vector = first + lane;
        const int left = s.vectors - vector;
        at = line + (int64_t)vector * V - lead;
        before = min(vector, 64) * V - lead;
        after = min(max(left, -64), 64) * V + s.rest + lead;
        const int behind = s.vectors - (first + s.own * abreast + 2);
        inside = first > (lead > 0) && behind >= -(s.rest + lead >= V);
        loads = lane < s.own + 2 && before > -V && after > 1 - V;
        writes = loads && lane > 0 && lane <= s.own;
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
 * `partial`, if it is one of them, is the first or the last, lies partly
 * outside of the tensor, and is read in single elements. */
template <int Rows, int V, class Bits, class E>
__device__ __forceinline__ void
load_shifted(Bits (&x)[Rows], const E *from, const strip_lane<V> &lane,
             int64_t at, int64_t step, int shift, int turn, int rows,
             int64_t partial, int64_t elems, uint64_t policy, const Bits &pad)
{
    const int few = lane.loads ? rows : 0;
    const int missing = partial >= 0 && partial < few ? (int)partial : -1;
    const int until = missing > 0 ? missing : few;
    int64_t next = at;
    int by = shift;
#pragma unroll
    for (int u = 0; u < Rows; ++u, next += step) {
        x[u] = pad;
        if (u < until && (u > 0 || missing != 0))
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

/* Writes vector number `vector` of a row shifted by `shift`; of a vector at an
 * end, only the row's elements. */
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
