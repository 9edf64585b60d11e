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
