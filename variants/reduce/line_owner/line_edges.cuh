/* SPDX-License-Identifier: MIT
 *
 * Vectors at a line's edges, which neighbouring lines may share.
 */
#ifndef VARIANTS_REDUCE_LINE_OWNER_LINE_EDGES_CUH
#define VARIANTS_REDUCE_LINE_OWNER_LINE_EDGES_CUH

#include "variants/common/kernel.cuh"

/* refuses() of a variant of contiguous lines of that many bytes, or empty. */
inline const char *line_bytes_refuse(const struct problem *p, int64_t least,
                                     int64_t most, const char *reason)
{
    const int64_t line = p->shape.axis * (int64_t)dtype_bytes(p->dtype);
    if (p->shape.inner != 1)
        return contiguous_only(p);
    return p->shape.axis > 0 && (line < least || line > most) ? reason : NULL;
}

/* Reduces those elements of the vector at in[at] that lie in the line
 * [low, high). They are loaded singly, as the others may lie outside the
 * tensor. */
template <class Op, class T, class Index>
__device__ __forceinline__ typename Op::acc
reduce_between(const T *__restrict__ in, Index at, Index low, Index high)
{
    typename Op::acc v[kVec<T>];
#pragma unroll
    for (int k = 0; k < kVec<T>; ++k)
        v[k] = at + k >= low && at + k < high
                   ? Op::lift(in[at + k], at + k - low)
                   : Op::identity();
    return pairwise_sum<Op>(v);
}

#endif
