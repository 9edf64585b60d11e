/* SPDX-License-Identifier: MIT
 *
 * Windows of memory that hold whole lines: a block's vectors, which lie on
 * 16-byte boundaries wherever the lines begin.
 */
#ifndef VARIANTS_COMMON_LINE_WINDOW_CUH
#define VARIANTS_COMMON_LINE_WINDOW_CUH

#include "variants/common/kernel.cuh"

struct line_window {
    int64_t extent; /* of the tensor, in elements */
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

/* A window in its block: elements [low, high) from x on, which is aligned. */
template <class T>
struct line_view {
    const T *x;
    int64_t begin; /* index in the tensor of element `low` */
    int low, high;
};

/* Loads elements at, at + 1, … of `in` into x, singly and only those of
 * [low, high) that are not masked off; pads replace the others, which may lie
 * outside the tensor. */
template <class Op, bool Masked, class T>
__device__ __forceinline__ void
load_between(const T *__restrict__ in, const uint8_t *__restrict__ mask, int at,
             int low, int high, vec<T> &x)
{
#pragma unroll
    for (int k = 0; k < kVec<T>; ++k) {
        bool take = at + k >= low && at + k < high;
        if constexpr (Masked)
            take = take && mask[at + k];
        x.item[k] = take ? in[at + k] : Op::pad();
    }
}

/* Loads those of a thread's vectors, the first at `at`, that stick out of the
 * tensor: elements [from, to) from s.x on. `ends`: the tensor ends in the
 * window. `load(at, low, high)` loads singly. */
template <class T, int Vecs, class Load>
__device__ __forceinline__ void load_edges(const line_view<T> &s, int at,
                                           int from, int to, bool ends,
                                           uint4 (&r)[Vecs], Load load)
{
    constexpr int V = kVec<T>, kStep = 32 * V;
    if (from > 0 && threadIdx.x == 0)
        r[0] = load(0, from, to);
    const int last = to - to % V; /* whole, if before `to` */
    if (ends && last < s.high && last >= from && last < to && last >= at &&
        last < at + Vecs * kStep && (last - at) % kStep == 0) {
        const uint4 part = load(last, 0, to);
#pragma unroll
        for (int j = 0; j < Vecs; ++j)
            if (at + j * kStep == last)
                r[j] = part;
    }
}

/* The carry-in of a warp, the `rank`-th of several in walk order: combines the
 * `sum` of those before it, from the last on that is `fresh`, where another
 * line begins. */
template <class Op>
__device__ __forceinline__ typename Op::acc carry_in(typename Op::acc sum,
                                                     bool fresh, int rank)
{
    __shared__ typename Op::acc sums[32];
    __shared__ uint8_t is_fresh[32];
    const int lane = threadIdx.x % 32;
    if (lane == 0) {
        sums[rank] = sum;
        is_fresh[rank] = fresh;
    }
    __syncthreads();
    const bool before = lane < rank;
    const unsigned all = __ballot_sync(kWholeWarp, before && is_fresh[lane]);
    const int from = all ? 31 - __clz((int)all) : 0;
    return warp_reduce<Op>(before && lane >= from ? sums[lane]
                                                  : Op::identity());
}

#endif
