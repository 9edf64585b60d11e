/* SPDX-License-Identifier: MIT
 *
 * The steps of a recurrence in a vector of both inputs.
 */
#ifndef VARIANTS_SCAN_RECURRENCE_AFFINE_STEPS_CUH
#define VARIANTS_SCAN_RECURRENCE_AFFINE_STEPS_CUH

#include "variants/common/kernel.cuh"

/* The steps of a vector in walk order. */
template <class Op, bool Reverse>
struct vec_steps {
    using T = typename Op::element;
    vec<T> a, b;

    __device__ __forceinline__ typename Op::acc operator()(int k) const
    {
        const int i = Reverse ? kVec<T> - 1 - k : k;
        return Op::step(a.item[i], b.item[i]);
    }
};

#endif
