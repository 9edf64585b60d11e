/* SPDX-License-Identifier: MIT
 *
 * Idea     One thread per line, for lines that run across memory: neighbouring
 *          threads take neighbouring columns, so every step of a warp is one
 *          run of memory. With prefetch, the loads of the next rows are in
 *          flight, raw in registers, while the current ones are summed and
 *          stored.
 * Against  thread_per_line: the same loop, but there a warp's loads lie a line
 *          apart. PyTorch does this for an axis that is not the last.
 * Traffic  2N elements: the compulsory minimum (passes = 1).
 * Needs    inner > 1, and many columns: there are no other threads.
 * Source   none.
 * Lesson   Every access is whole, but one load in flight per thread leaves the
 *          memory idle: the loop lacked only several rows in flight.
 */
#include "variants/common/kernel.cuh"

/* Scans a column with one load in flight. */
template <class T, class Scan>
__device__ __forceinline__ void
scan_column(const T *__restrict__ in, const uint8_t *__restrict__ mask,
            T *__restrict__ out, int64_t at, int64_t step, int64_t axis)
{
    using Op = op_of<Scan, T>;
    using Acc = typename Op::acc;
    Acc sum = Op::identity();
    /* Unrolled, the compiler would load ahead. */
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

/* The next rows of a column, as they lie in memory. */
template <class T, int Rows>
struct raw_rows {
    T x[Rows];
    uint8_t m[Rows];
};

/* Reads the first `rows` rows from `at` on; the others are never used. */
template <class T, bool Masked, int Rows>
__device__ __forceinline__ void
load_rows(const T *__restrict__ in, const uint8_t *__restrict__ mask,
          int64_t at, int64_t step, int rows, raw_rows<T, Rows> &r)
{
#pragma unroll
    for (int u = 0; u < Rows; ++u, at += step)
        if (u < rows) {
            r.x[u] = in[at];
            if constexpr (Masked)
                r.m[u] = mask[at];
        }
}

/* Scans a column with Rows rows in flight. */
template <class T, class Scan, int Rows>
__device__ __forceinline__ void
scan_column_ahead(const T *__restrict__ in, const uint8_t *__restrict__ mask,
                  T *__restrict__ out, int64_t at, int64_t step, int64_t axis)
{
    using Op = op_of<Scan, T>;
    using Acc = typename Op::acc;
    Acc sum = Op::identity();
    raw_rows<T, Rows> next;
    load_rows<T, Scan::masked>(in, mask, at, step,
                               (int)(axis < Rows ? axis : Rows), next);

    for (int64_t left = axis; left > 0; left -= Rows) {
        /* load: take these rows, issue the loads of the next */
        const int rows = (int)(left < Rows ? left : Rows);
        const int64_t ahead = left - rows;
        Acc v[Rows];
#pragma unroll
        for (int u = 0; u < Rows; ++u)
            v[u] = !Scan::masked || next.m[u] ? Op::lift(next.x[u])
                                              : Op::identity();
        load_rows<T, Scan::masked>(in, mask, at + Rows * step, step,
                                   (int)(ahead < Rows ? ahead : Rows), next);

        /* scan, store */
#pragma unroll
        for (int u = 0; u < Rows; ++u, at += step)
            if (u < rows) {
                const Acc before = sum;
                sum = Op::combine(sum, v[u]);
                out[at] = Op::lower(Scan::exclusive ? before : sum);
            }
    }
}

template <class T, class Scan, int Threads, int Rows>
static __global__ void __launch_bounds__(Threads)
    thread_per_column(const T *__restrict__ in,
                      const uint8_t *__restrict__ mask, T *__restrict__ out,
                      int64_t columns, int64_t axis, int64_t inner)
{
    const int64_t step = Scan::reverse ? -inner : inner;
    for (int64_t column = (int64_t)blockIdx.x * Threads + threadIdx.x;
         column < columns; column += (int64_t)gridDim.x * Threads) {
        const int64_t o = column / inner, i = column % inner;
        const int64_t first = Scan::reverse ? axis - 1 : 0;
        const int64_t at = (o * axis + first) * inner + i;
        if constexpr (Rows == 0)
            scan_column<T, Scan>(in, mask, out, at, step, axis);
        else
            scan_column_ahead<T, Scan, Rows>(in, mask, out, at, step, axis);
    }
}

constexpr unsigned kNeeds = NEEDS_ORDER;

template <int Threads, int Rows>
static int launch(const struct problem *p, void *stream)
{
    return dispatch_scan<kNeeds>(
        p, [&]<class T, class Scan>(tag<T>, Scan) -> int {
            const int64_t columns = shape_lines(p->shape);
            return launch_kernel(thread_per_column<T, Scan, Threads, Rows>,
                                 ceil_div(columns, Threads), Threads, 0, stream,
                                 p->in, p->mask, p->out, columns, p->shape.axis,
                                 p->shape.inner);
        });
}

/* Items are the rows loaded ahead. */
#define POINT(suffix, threads, items)                                          \
    {                                                                          \
        .name = "thread_per_column_" #suffix,                                  \
        .idea = "one thread walks a strided line, its neighbour the next one", \
        ON_CUDA(scans<kNeeds>(), 1), .error_growth = ERROR_SERIAL,             \
        .deterministic = true, .refuses = strided_only,                        \
        .launch = launch<threads, items>, .idles = column_walk_idles,          \
        .monotone = true                                                       \
    }

VARIANTS(scan__thread_per_column) = {
#ifndef OTHER_OPERATORS
    POINT(b512, 512, 0),
#endif
    POINT(prefetch_b128_i32, 128, 32),
    {},
};
