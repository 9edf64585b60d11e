/* SPDX-License-Identifier: MIT
 *
 * Windows of memory that hold whole lines: a block's vectors, which lie on
 * 16-byte boundaries wherever the lines begin; and walks along such lines.
 */
#ifndef VARIANTS_COMMON_LINE_WINDOW_CUH
#define VARIANTS_COMMON_LINE_WINDOW_CUH

#include "variants/common/kernel.cuh"

struct line_window {
    int64_t extent; /* elements of the tensor */
    int64_t windows;
    int axis, many;   /* elements per line, lines per window */
    int lead;         /* elements from a 16-byte boundary to the first */
    unsigned inverse; /* 2^31 / axis, rounded up */

    /* elems / axis */
    __device__ __forceinline__ unsigned lines_in(unsigned elems) const
    {
        return __umulhi(2 * elems, inverse);
    }
};

/* The windows of a problem, with `windows` and `many` still 0. */
template <class T>
struct line_window line_window_of(const struct problem *p, int64_t extent)
{
    return { .extent = extent,
             .axis = (int)p->shape.axis,
             .lead = (int)((uintptr_t)p->in / sizeof(T) % kVec<T>),
             .inverse = (unsigned)((1ll << 31) / p->shape.axis + 1) };
}

/* A walk along lines of `axis` elements that lie side by side. */
struct line_walk {
    int until; /* elements before the next line starts */
    int axis;

    __device__ __forceinline__ bool starts(void)
    {
        const bool start = until == 0;
        until = (start ? axis : until) - 1;
        return start;
    }
};

#endif
