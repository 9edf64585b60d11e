/* SPDX-License-Identifier: MIT
 *
 * An operator as functors that CUB takes. CUB puts their types into linker
 * symbols: hence the long names.
 */
#ifndef VARIANTS_SCAN_LIBRARY_CUB_FUNCTORS_CUH
#define VARIANTS_SCAN_LIBRARY_CUB_FUNCTORS_CUH

#include <cuda/std/functional>

#include "variants/common/kernel.cuh"

/* Addition is the library's own functor, for which CUB has faster warp scans
 * and tuned tiles. */
template <class Op>
struct cub_combine_accs {
    using Acc = typename Op::acc;
    __host__ __device__ Acc operator()(const Acc &earlier,
                                       const Acc &later) const
    {
        return Op::combine(earlier, later);
    }
};
template <class Op>
using cub_combine = std::conditional_t<is_addition<Op>, cuda::std::plus<>,
                                       cub_combine_accs<Op>>;

/* Element i as an acc, or the identity if it is masked off. */
template <class Op, bool Masked>
struct cub_load {
    const typename Op::element *in;
    const uint8_t *mask;
    __device__ typename Op::acc operator()(int64_t i) const
    {
        const typename Op::acc x = Op::lift(in[i]);
        if constexpr (Masked)
            return mask[i] ? x : Op::identity();
        return x;
    }
};

/* An acc as the element that is stored. */
template <class Op>
struct cub_store {
    __device__ typename Op::element operator()(const typename Op::acc &x) const
    {
        return Op::lower(x);
    }
};

#endif
