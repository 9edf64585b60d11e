/* SPDX-License-Identifier: MIT
 *
 * Idea     One thread walks a line across memory, its neighbour the next one:
 *          the columns of a 16-byte vector where rows are whole vectors of all
 *          tensors, else one column. The next rows of both inputs are in
 *          flight, raw in registers, while the current ones are computed.
 * Against  thread_per_column: the same loop, with one input.
 * Traffic  3N elements: the compulsory minimum (passes = 1).
 * Needs    many lines: there are no other threads. Contiguous lines, whose
 *          accesses lie a line apart, are for contracts that no other variant
 *          keeps.
 * Source   none.
 * Lesson   Each multiplication and addition waits for the one before, yet rows
 *          arrive more slowly: the number in flight matters.
 */
#include "variants/common/access/column_vectors.cuh"
#include "variants/common/kernel.cuh"

constexpr unsigned kNeeds = NEEDS_TWO_INPUTS;

/* The next rows of a column, of both inputs. */
template <class Words, int Rows>
struct rows_ahead {
    Words a[Rows], b[Rows];

    template <class T>
    __device__ __forceinline__ void
    load(const T *in, const T *in2, int64_t step, int64_t left, uint64_t policy)
    {
        const int rows = left < Rows ? (int)left : Rows;
        load_column(a, in, step, rows, policy, Words{});
        load_column(b, in2, step, rows, policy, Words{});
    }
};

/* V: columns per thread. */
template <class T, class Scan, int Threads, int Rows, int V>
static __global__ void __launch_bounds__(Threads)
    affine_column_walk(const T *__restrict__ in, const T *__restrict__ in2,
                       const T *__restrict__ initial, T *__restrict__ out,
                       int64_t across, int64_t vectors, struct shape shape)
{
    TAG(fast, V > 1);
    using Op = op_of<Scan, T>;
    using Words = words_t<vec<T, V>>;
    const uint64_t policy = evict_last_policy();
    const int64_t step = Scan::reverse ? -shape.inner : shape.inner;

    for (int64_t n = (int64_t)blockIdx.x * Threads + threadIdx.x; n < vectors;
         n += (int64_t)gridDim.x * Threads) {
        const row_and_column v(n, across);
        const int64_t first = Scan::reverse ? shape.axis - 1 : 0;
        int64_t at = (v.row * shape.axis + first) * shape.inner + v.column * V;
        acc_t<T> h[V] = {};
        if (initial)
#pragma unroll
            for (int k = 0; k < V; ++k)
                h[k] =
                    value_of(initial[v.row * shape.inner + v.column * V + k]);
        rows_ahead<Words, Rows> next;
        next.load(in + at, in2 + at, step, shape.axis, policy);
        for (int64_t left = shape.axis; left > 0; left -= Rows) {
            const auto now = next;
            const int64_t ahead = at + Rows * step;
            next.load(in + ahead, in2 + ahead, step, left - Rows, policy);
#pragma unroll
            for (int u = 0; u < Rows; ++u, at += step) {
                const auto a = __builtin_bit_cast(vec<T, V>, now.a[u]);
                const auto b = __builtin_bit_cast(vec<T, V>, now.b[u]);
                vec<T, V> y;
#pragma unroll
                for (int k = 0; k < V; ++k) {
                    h[k] = Op::apply(Op::step(a.item[k], b.item[k]), h[k]);
                    y.item[k] = element_of<T>(h[k]);
                }
                if (u < left)
                    write_first(out + at, y);
            }
        }
    }
}

template <class T, class Scan, int Threads, int Rows, int V>
static int launch_columns(const struct problem *p, void *stream)
{
    const int64_t across = p->shape.inner / V;
    const int64_t vectors = p->shape.outer * across;
    return launch_kernel(affine_column_walk<T, Scan, Threads, Rows, V>,
                         ceil_div(vectors, Threads), Threads, 0, stream, p->in,
                         p->in2, p->initial, p->out, across, vectors, p->shape);
}

/* True if rows are whole vectors of all tensors. */
static bool in_vectors(const struct problem *p)
{
    return rows_in_vectors(p) && (uintptr_t)p->in2 % 16 == 0;
}

/* Vectors: rows of vectors ahead, 0 for none; Singles: of columns, half as many
 * of doubles. */
template <int Threads, int Vectors, int Singles>
static int launch(const struct problem *p, void *stream)
{
    return dispatch_scan<kNeeds>(
        p, [&]<class T, class Scan>(tag<T>, Scan) -> int {
            if constexpr (Vectors > 0)
                if (in_vectors(p))
                    return launch_columns<T, Scan, Threads, Vectors, kVec<T>>(
                        p, stream);
            constexpr int kRows = sizeof(T) == 8 ? Singles / 2 : Singles;
            return launch_columns<T, Scan, Threads, kRows, 1>(p, stream);
        });
}

/* A step along a contiguous line waits for memory: some tenths of a
 * microsecond. */
static const char *refuses(const struct problem *p)
{
    const char *slow = p->shape.inner == 1 ? thread_walk_refuses(p) : NULL;
    return slow ? slow : too_many_vectors(p, 1);
}

static bool idles(const struct problem *p)
{
    return p->shape.inner == 1 || few_columns(p);
}

#define POINT(suffix, threads, vectors, singles)                               \
    {                                                                          \
        .name = "affine_column_walk_" #suffix,                                 \
        .idea = "one thread walks columns, its next rows in flight",           \
        ON_CUDA(scans<kNeeds>(), 1), .error_growth = ERROR_SERIAL,             \
        .deterministic = true, .refuses = refuses,                             \
        .launch = launch<threads, vectors, singles>, .idles = idles            \
    }

VARIANTS(scan__affine_column_walk) = {
    POINT(b128_i4, 128, 4, 8),
    POINT(b64_i32, 64, 0, 32),
    {},
};
