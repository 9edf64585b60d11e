/* SPDX-License-Identifier: MIT
 *
 * Rows that begin at any element, read in the aligned 16-byte vectors that hold
 * them: from one row to the next, columns shift by the pitch modulo a vector.
 * Scans leave the data in place and shift the columns' sums, in registers and
 * by shuffles across lanes; reductions shift the data (realigned_rows.cuh).
 */
#ifndef VARIANTS_COMMON_ACCESS_SHIFTED_ROWS_CUH
#define VARIANTS_COMMON_ACCESS_SHIFTED_ROWS_CUH

#include "variants/common/access/shuffle.cuh"
#include "variants/common/launch/dispatch.cuh"
#include "variants/common/access/l2_hints.cuh"

constexpr int kShiftLanes = 32; /* a strip's, each with a vector of every row */

/* A strip's warp writes `own` of its vectors in a row, from the second on; the
 * first and the last hold the columns that other rows' shifts move across its
 * ends. */
struct vectors_shared {
    int own;
    int lead; /* elements from a 16-byte boundary to the tensor */
};

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
    int side; /* of the row: 1 its begin, -1 its end, 0 neither */
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
    /* Elements of the vector that are not the row's: none if not positive, all
     * from V on. */
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
     * store the ends of rows, and those from Rows on the begins that remain. */
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

/* The vectors that a row may touch, in strips of equal width. */
template <class T>
inline struct vectors_shared vectors_shared_of(const struct problem *p,
                                               int64_t *strips)
{
    constexpr int V = kVec<T>;
    const int64_t vectors = (p->shape.inner - 1 + 2 * (V - 1)) / V + 1;
    *strips = ceil_div(vectors, kShiftLanes - 2);
    return { .own = (int)ceil_div(vectors, *strips),
             .lead = (int)((uintptr_t)p->in / sizeof(T) % V) };
}

#endif
