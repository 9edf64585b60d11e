/* SPDX-License-Identifier: MIT
 *
 * Idea     The loop that everyone writes first: one thread walks one line.
 * Against  serial, the loop on the host: here all lines at once. Neighbouring
 *          threads read neighbouring addresses if inner is large, and
 *          addresses a whole line apart if inner is 1.
 * Traffic  2N elements (passes = 1); with inner == 1 every access of a warp
 *          touches 32 sectors, and only caches keep that to one read.
 * Needs    lines that one thread can walk in about a second.
 * Source   none.
 * Lesson   Neighbouring threads far apart waste most of every access, except
 *          along strided axes.
 */
#include "variants/common/kernel.cuh"

template <class T, class Scan>
static __global__ void
thread_per_line(const T *__restrict__ in, const uint8_t *__restrict__ mask,
                T *__restrict__ out, int64_t lines, int64_t axis, int64_t inner)
{
    using Op = op_of<Scan, T>;
    using Acc = typename Op::acc;
    const int64_t threads = (int64_t)gridDim.x * blockDim.x;
    const int64_t thread = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    const int64_t stride = Scan::reverse ? -inner : inner;

    for (int64_t line = thread; line < lines; line += threads) {
        int64_t at = line / inner * axis * inner + line % inner;
        if (Scan::reverse)
            at += (axis - 1) * inner;
        Acc before = Op::identity();
        for (int64_t step = 0; step < axis; ++step, at += stride) {
            const Acc x =
                !Scan::masked || mask[at] ? Op::lift(in[at]) : Op::identity();
            const Acc sum = Op::combine(before, x);
            out[at] = Op::lower(Scan::exclusive ? before : sum);
            before = sum;
        }
    }
}

template <int Threads>
static int launch(const struct problem *p, void *stream)
{
    return dispatch_scan(p, [&]<class T, class Scan>(tag<T>, Scan) -> int {
        const int64_t lines = shape_lines(p->shape);
        return launch_kernel(thread_per_line<T, Scan>, ceil_div(lines, Threads),
                             Threads, 0, stream, p->in, p->mask, p->out, lines,
                             p->shape.axis, p->shape.inner);
    });
}

#define POINT(threads)                                                         \
    {                                                                          \
        .name = "thread_per_line_b" #threads,                                  \
        .idea = "one thread walks one line", ON_CUDA(scans(), 1),              \
        .error_growth = ERROR_SERIAL, .deterministic = true,                   \
        .refuses = thread_walk_refuses, .launch = launch<threads>,             \
        .idles = thread_walk_idles, .monotone = true                           \
    }

VARIANTS(scan__thread_per_line) = {
    POINT(256),
    {},
};
