/* SPDX-License-Identifier: MIT
 *
 * Idea     Every thread reduces its own output's whole prefix: no thread needs
 *          another's result, and the work is quadratic.
 * Against  thread_per_line: as many threads as elements, and axis / 2 times
 *          the loads.
 * Traffic  2N elements of DRAM where a line stays in the caches (passes = 1);
 *          N * axis / 2 loads reach the L1.
 * Needs    few enough loads to end within a second.
 * Source   none.
 * Lesson   More threads do not pay for work quadratic in the line length.
 */
#include "variants/common/kernel.cuh"

constexpr int kThreads = 256;

template <class T, class Scan>
static __global__ void __launch_bounds__(kThreads)
    thread_per_element(const T *__restrict__ in,
                       const uint8_t *__restrict__ mask, T *__restrict__ out,
                       int64_t elems, int64_t axis, int64_t inner)
{
    using Op = op_of<Scan, T>;
    using Acc = typename Op::acc;
    const int64_t threads = (int64_t)gridDim.x * kThreads;
    const int64_t thread = (int64_t)blockIdx.x * kThreads + threadIdx.x;
    const int64_t stride = Scan::reverse ? -inner : inner;

    for (int64_t elem = thread; elem < elems; elem += threads) {
        const int64_t a = elem / inner % axis;
        const int64_t rank = Scan::reverse ? axis - 1 - a : a;
        const int64_t count = Scan::exclusive ? rank : rank + 1;
        int64_t at = elem - rank * stride; /* where the line's walk starts */
        Acc sum = Op::identity();
        for (int64_t step = 0; step < count; ++step, at += stride)
            sum = Op::combine(sum, !Scan::masked || mask[at] ? Op::lift(in[at])
                                                             : Op::identity());
        out[elem] = Op::lower(sum);
    }
}

static int launch(const struct problem *p, void *stream)
{
    return dispatch_scan(p, [&]<class T, class Scan>(tag<T>, Scan) -> int {
        const int64_t elems = shape_elems(p->shape);
        return launch_kernel(thread_per_element<T, Scan>,
                             ceil_div(elems, kThreads), kThreads, 0, stream,
                             p->in, p->mask, p->out, elems, p->shape.axis,
                             p->shape.inner);
    });
}

/* Caches of a large GPU serve about 10^12 loads per second, and a lone thread's
 * next load waits for some tens of clocks. */
static const char *refuses(const struct problem *p)
{
    const double loads =
        (double)shape_elems(p->shape) * (double)p->shape.axis / 2;
    if (loads > 0x1p38)
        return "quadratic: more than 2^38 loads, at about 10^12 per second";
    return NULL;
}

VARIANTS(scan__thread_per_element) = {
    { .name = "thread_per_element",
      .idea = "every thread sums its own prefix: quadratic work",
      .runs_on = DEVICE_CUDA,
      .ops = scans(),
      .passes = 1,
      .error_growth = ERROR_SERIAL,
      .deterministic = true,
      .refuses = refuses,
      .launch = launch,
      .monotone = true },
    {},
};
