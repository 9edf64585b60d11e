/* SPDX-License-Identifier: MIT
 *
 * An operator as functors that CUB takes, and the launch and workspace of its
 * device-wide functions. CUB puts types into linker symbols: hence the long
 * names.
 */
#ifndef VARIANTS_COMMON_CUB_FUNCTORS_CUH
#define VARIANTS_COMMON_CUB_FUNCTORS_CUH

#include <cuda/std/functional>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>
#include <utility>

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
/* For functions that carry the functor's result type, an acc: halves' is
 * float. */
template <class Op>
using cub_combine_carried =
    std::conditional_t<is_addition<Op>, cuda::std::plus<typename Op::acc>,
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

/* Item i of the scan is element i; of a reversed scan, the i-th element from
 * the end of the whole tensor, which reverses the order of the lines, too. The
 * direction is a runtime value, because another instance of CUB's kernel is
 * slow to compile. */
struct cub_place {
    int64_t last; /* the last element's index, or -1 to walk forwards */
    __host__ __device__ int64_t operator()(int64_t i) const
    {
        return last < 0 ? i : last - i;
    }
};
template <class Op, bool Masked>
struct cub_load_item {
    cub_load<Op, Masked> load;
    cub_place at;
    __device__ typename Op::acc operator()(int64_t i) const
    {
        return load(at(i));
    }
};

/* Returns an iterator over function(0), function(1), ... */
template <class Function>
auto cub_items(Function function)
{
    return thrust::make_transform_iterator(
        thrust::counting_iterator<int64_t>(0), function);
}

/* Returns two iterators in the scan's order: one reads elements as accs, one
 * stores accs. */
template <class Op, class Scan>
auto cub_items_of(const struct problem *p)
{
    using T = typename Op::element;
    const cub_place at = { Scan::reverse ? shape_elems(p->shape) - 1 : -1 };
    return std::pair{ cub_items(cub_load_item<Op, Scan::masked>{
                          { (const T *)p->in, p->mask }, at }),
                      thrust::make_transform_output_iterator(
                          thrust::make_permutation_iterator((T *)p->out,
                                                            cub_items(at)),
                          cub_store<Op>{}) };
}

/* refuses() of functions for one line. */
inline const char *one_line_only(const struct problem *p)
{
    return p->shape.outer != 1 || p->shape.inner != 1
               ? "serves one contiguous line only (outer = inner = 1)"
               : NULL;
}

/* Launch by Run(problem, temp, bytes, stream), which with temp == NULL only
 * sets *bytes to the size of temp. */
template <auto Run>
int cub_launch(const struct problem *p, void *stream)
{
    size_t bytes = SIZE_MAX; /* at least workspace_bytes() */
    return Run(p, p->workspace, &bytes, (cudaStream_t)stream);
}
template <auto Run>
size_t cub_workspace_bytes(const struct problem *p)
{
    size_t bytes = 0;
    Run(p, NULL, &bytes, NULL);
    return bytes ? bytes : 1;
}

/* Functions of a variant by Run. */
#define BY_CUB(...)                                                            \
    .workspace_bytes = cub_workspace_bytes<__VA_ARGS__>,                       \
    .launch = cub_launch<__VA_ARGS__>

#endif
