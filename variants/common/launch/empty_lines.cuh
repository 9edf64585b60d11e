/* SPDX-License-Identifier: MIT
 *
 * Reductions of lines that have no elements.
 */
#ifndef VARIANTS_COMMON_LAUNCH_EMPTY_LINES_CUH
#define VARIANTS_COMMON_LAUNCH_EMPTY_LINES_CUH

#include "variants/common/launch/dispatch.cuh"

template <class Op>
static __global__ void fill_empty_lines(output_of<Op> *out, int64_t lines)
{
    int64_t line = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    for (; line < lines; line += (int64_t)gridDim.x * blockDim.x)
        out[line] = Op::lower(Op::identity(), 0);
}

/* For operators other than addition, packed_slabs alone serves such lines. */
#ifdef OTHER_OPERATORS
constexpr bool kServesEmpty = false;
#else
constexpr bool kServesEmpty = true;
#endif
constexpr const char *kHasEmpty = "empty lines have packed_slabs";

/* Stores the reduction of no elements for each line: for kernels that divide
 * by the axis. */
template <class Op>
int launch_empty_lines(const struct problem *p, void *stream)
{
    using T = typename Op::element;
    constexpr int kThreads = 256;
    const int64_t lines = shape_lines(p->shape);
    if constexpr (is_addition<Op>)
        return cudaMemsetAsync(p->out, 0, lines * sizeof(T),
                               (cudaStream_t)stream);
    else
        return launch_kernel(fill_empty_lines<Op>, ceil_div(lines, kThreads),
                             kThreads, 0, stream, p->out, lines);
}

#endif
