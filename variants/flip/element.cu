/* SPDX-License-Identifier: MIT
 *
 * Idea     One thread moves one element to its mirror place.
 * Against  none: the loop everyone writes first.
 * Traffic  2N elements: the compulsory minimum (passes = 1).
 * Needs    nothing.
 * Source   none.
 * Lesson   Accesses are whole, but each moves too few bytes.
 */
#include "variants/common/kernel.cuh"

template <class T, int Threads>
static __global__ void __launch_bounds__(Threads)
    element(const T *__restrict__ in, T *__restrict__ out, int64_t elems,
            int64_t axis, int64_t inner)
{
    for (int64_t at = blockIdx.x * (int64_t)Threads + threadIdx.x; at < elems;
         at += gridDim.x * (int64_t)Threads) {
        const int64_t a = (inner == 1 ? at : at / inner) % axis;
        out[at + (axis - 1 - 2 * a) * inner] = in[at];
    }
}

template <int Threads>
static int launch(const struct problem *p, void *stream)
{
    return dispatch_moved(p->dtype, [&](auto type) -> int {
        using T = typename decltype(type)::type;
        const int64_t elems = shape_elems(p->shape);
        return launch_kernel(element<T, Threads>, ceil_div(elems, Threads),
                             Threads, 0, stream, p->in, p->out, elems,
                             p->shape.axis, p->shape.inner);
    });
}

#define POINT(threads)                                                         \
    {                                                                          \
        .name = "element_b" #threads, .idea = "one thread moves one element",  \
        MOVES_ON_CUDA(FORM_OF(OP_FLIP), DTYPES_ALL), .deterministic = true,    \
        .launch = launch<threads>                                              \
    }

VARIANTS(flip__element) = {
    POINT(256),
    {},
};
