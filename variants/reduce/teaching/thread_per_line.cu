/* SPDX-License-Identifier: MIT
 *
 * Idea     One thread walks a line, one element after another.
 * Against  none: the loop that everyone writes first.
 * Traffic  N elements: the compulsory minimum (passes = 1). Neighbouring
 *          threads read neighbouring addresses only where inner > 1.
 * Needs    lines that one thread can walk in about a second.
 * Source   none.
 * Lesson   Many lines side by side suit it, nothing else does.
 */
#include "variants/common/kernel.cuh"

template <class Op, int Threads, class T = typename Op::element>
static __global__ void __launch_bounds__(Threads)
    thread_per_line(const T *__restrict__ in, T *__restrict__ out,
                    int64_t lines, int64_t axis, int64_t inner)
{
    for (int64_t line = blockIdx.x * (int64_t)Threads + threadIdx.x;
         line < lines; line += gridDim.x * (int64_t)Threads) {
        const T *x = in + line / inner * axis * inner + line % inner;
        typename Op::acc sum = Op::identity();
        for (int64_t a = 0; a < axis; ++a)
            sum = Op::combine(sum, Op::lift(x[a * inner], a));
        out[line] = Op::lower(sum, axis);
    }
}

template <int Threads>
static int launch(const struct problem *p, void *stream)
{
    return dispatch_reduce(p, [&]<class Op>(Op) -> int {
        const int64_t lines = shape_lines(p->shape);
        return launch_kernel(
            thread_per_line<Op, Threads>, ceil_div(lines, Threads), Threads, 0,
            stream, p->in, p->out, lines, p->shape.axis, p->shape.inner);
    });
}

#define POINT(threads)                                                         \
    {                                                                          \
        .name = "thread_per_line_b" #threads,                                  \
        .idea = "one thread walks a line", ON_CUDA(reductions(), 1),           \
        .error_growth = ERROR_SERIAL, .deterministic = true,                   \
        .refuses = thread_walk_refuses, .launch = launch<threads>,             \
        .idles = thread_walk_idles, .portable_bits = true                      \
    }

VARIANTS(reduce__thread_per_line) = {
    POINT(32),
    {},
};
