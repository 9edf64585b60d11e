/* SPDX-License-Identifier: MIT
 *
 * Vectors at a line's edges, which neighbouring lines may share.
 */
#ifndef VARIANTS_REDUCE_LINE_OWNER_LINE_EDGES_CUH
#define VARIANTS_REDUCE_LINE_OWNER_LINE_EDGES_CUH

#include "variants/common/kernel.cuh"

/* refuses() of a variant of contiguous lines of that many bytes. */
inline const char *line_bytes_refuse(const struct problem *p, int64_t least,
                                     int64_t most, const char *reason)
{
    const int64_t line = p->shape.axis * (int64_t)dtype_bytes(p->dtype);
    if (p->shape.inner != 1)
        return contiguous_only(p);
    return line < least || line > most ? reason : NULL;
}

/* Elements from an aligned vector's start to the input's first. */
template <class T>
inline int line_lead(const struct problem *p)
{
    return (int)((uintptr_t)p->in % 16 / sizeof(T));
}

/* The vectors at the ends of the line of `axis` elements from x[shift] on may
 * have elements of neighbouring lines. Lifts this line's own elements of these
 * vectors, one for each of a block's first 2 * kVec<T> threads; for operators
 * that commute, and lines of a vector or more. */
template <class Op, class T, class Index>
__device__ __forceinline__ typename Op::acc
edge_element(const T *__restrict__ x, int shift, Index axis, int lane)
{
    constexpr int V = kVec<T>;
    const Index end = shift + axis, tail = end - (int)((unsigned)end % V);
    const Index at = lane < V ? (Index)lane : tail + (lane - V);
    if (lane < V ? lane < shift || shift == 0 : lane >= 2 * V || at >= end)
        return Op::identity();
    return Op::lift(x[at], at - shift);
}

/* Reduces this line's own elements of vector v, in order. */
template <class Op, class T, class Index>
__device__ __forceinline__ typename Op::acc
edge_vector(const T *__restrict__ x, Index v, int shift, Index axis)
{
    typename Op::acc sum = Op::identity();
    for (Index at = v * kVec<T>; at < (v + 1) * kVec<T>; ++at)
        if (at >= shift && at < shift + axis)
            sum = Op::combine(sum, Op::lift(x[at], at - shift));
    return sum;
}

#endif
