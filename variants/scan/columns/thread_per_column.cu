/* SPDX-License-Identifier: MIT
 *
 * Idea     One thread a line, for lines that run across memory: neighbouring
 *          threads take neighbouring columns, so every step of a warp is one
 *          run of memory. One load is in flight a thread.
 * Against  thread_per_line: the same loop, but there a warp's loads lie a line
 *          apart. What PyTorch does for an axis that is not the last.
 * Traffic  2N elements: the compulsory minimum (passes = 1).
 * Needs    inner > 1, and many columns: there are no other threads.
 * Source   none.
 * Lesson   Every access is whole, but one load in flight per thread leaves the
 *          memory idle.
 */
#include "variants/common/kernel.cuh"

template <class T, class Scan, int Threads>
static __global__ void __launch_bounds__(Threads)
    thread_per_column(const T *__restrict__ in,
                      const uint8_t *__restrict__ mask, T *__restrict__ out,
                      int64_t columns, int64_t axis, int64_t inner)
{
    using Op = op_of<Scan, T>;
    using Acc = typename Op::acc;
    const int64_t step = Scan::reverse ? -inner : inner;

    for (int64_t column = (int64_t)blockIdx.x * Threads + threadIdx.x;
         column < columns; column += (int64_t)gridDim.x * Threads) {
        const int64_t o = column / inner, i = column % inner;
        const int64_t first = Scan::reverse ? axis - 1 : 0;
        int64_t at = (o * axis + first) * inner + i;
        Acc sum = Op::identity();
        /* Unrolled, the compiler would load ahead: that is the other file. */
#pragma unroll 1
        for (int64_t a = 0; a < axis; ++a, at += step) {
            Acc x = Op::lift(in[at]);
            if constexpr (Scan::masked)
                x = mask[at] ? x : Op::identity();
            const Acc before = sum;
            sum = Op::combine(sum, x);
            out[at] = Op::lower(Scan::exclusive ? before : sum);
        }
    }
}

template <int Threads>
static int launch(const struct problem *p, void *stream)
{
    return dispatch_scan(p, [&](auto type, auto scan) -> int {
        using T = typename decltype(type)::type;
        const int64_t columns = shape_lines(p->shape);
        thread_per_column<T, decltype(scan), Threads>
            <<<grid_x(ceil_div(columns, Threads)), Threads, 0,
               (cudaStream_t)stream>>>((const T *)p->in, p->mask, (T *)p->out,
                                       columns, p->shape.axis, p->shape.inner);
        return cudaGetLastError();
    });
}

static const char *refuses(const struct problem *p)
{
    return p->shape.inner == 1
               ? "serves strided lines only (inner > 1); contiguous ones have "
                 "the kernels named per_line"
               : NULL;
}

#define POINT(threads)                                                         \
    {                                                                          \
        .name = "thread_per_column_b" #threads,                                \
        .idea = "one thread walks a strided line, its neighbour the next one", \
        .runs_on = DEVICE_CUDA, .ops = OPS_SCAN, .dtypes = DTYPES_ALL,         \
        .passes = 1, .error_growth = ERROR_SERIAL, .deterministic = true,      \
        .refuses = refuses, .launch = launch<threads>                          \
    }

VARIANTS(scan__thread_per_column) = {
    POINT(512),
    {},
};
